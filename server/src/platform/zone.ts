/** A moment on the clocks of a place, such as `2026-11-22 23:59:00`. @param zone IANA name */
export const inZone = (moment: Date, zone: string): string =>
  // Sweden writes dates as ISO 8601 does.
  moment.toLocaleString('sv-SE', { timeZone: zone });
