import type { site as source } from '../zh-CN/site.ts';
import type { Translation } from '../types.ts';

export const site: Translation<typeof source> = {
  supporters: 'Backed by',
};
