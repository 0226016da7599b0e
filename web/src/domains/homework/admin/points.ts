/** Points as they stand in a field. */

/** Whether a text is points in a range, with one decimal at most. */
export const isPoints = (text: string, least: number, most: number): boolean =>
  /^\d+(?:\.\d)?$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
