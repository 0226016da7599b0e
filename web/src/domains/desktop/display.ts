/** How a desktop is drawn: choices that are kept in this browser. */
import { chosen, readStored, writeStored } from '../../kernel/stored.ts';

/** `resize`: the desktop takes the size of the pane; `scale`: its picture does. */
export const FITS = ['resize', 'scale'] as const;
export type Fit = (typeof FITS)[number];

export const QUALITIES = ['low', 'balanced', 'sharp'] as const;
export type Quality = (typeof QUALITIES)[number];

/** noVNC's levels, 0 to 9: of JPEG quality, and of compression (which costs the machine time). */
export const QUALITY_LEVELS: Readonly<
  Record<Quality, { readonly quality: number; readonly compression: number }>
> = {
  low: { quality: 2, compression: 6 },
  balanced: { quality: 6, compression: 2 },
  sharp: { quality: 9, compression: 1 },
};

export const readFit = (stored: string | null): Fit => chosen(stored, FITS, 'resize');
export const readQuality = (stored: string | null): Quality =>
  chosen(stored, QUALITIES, 'balanced');

export const loadFit = (): Fit => readFit(readStored('desktop-fit'));
export const saveFit = (fit: Fit): void => writeStored('desktop-fit', fit);
export const loadQuality = (): Quality => readQuality(readStored('desktop-quality'));
export const saveQuality = (quality: Quality): void => writeStored('desktop-quality', quality);
