/** What a site says of itself. */
export const site = {
  supporters: '支持单位',
} as const;
