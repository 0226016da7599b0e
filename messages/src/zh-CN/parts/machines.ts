/** Texts of applications for machine time. */
import { resource } from '../resource.ts';

export const machines = {
  resource,
};
