/** Numbers, sizes and times as people read them. */
import { NUMBER_UNITS, type Language } from '@hypercube/contract';

/** K from 1,000 and M from 1,000,000, one decimal, cut and not rounded up: 999,999 is 999.9K. */
export function formatCount(count: number): string {
  for (const { from, unit } of NUMBER_UNITS) {
    if (count >= from) {
      const cut = Math.floor((count / from) * 10) / 10;
      return `${Number.isInteger(cut) ? cut : cut.toFixed(1)}${unit}`;
    }
  }
  return String(count);
}

const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes in the largest fitting binary unit, at most one decimal. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text =
    unit === 0 || value >= 100 || Number.isInteger(value)
      ? String(Math.round(value))
      : value.toFixed(1);
  return `${text.replace(/\.0$/, '')} ${SIZE_UNITS[unit]}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A countdown: 42:17, or 1:02:05 from an hour on. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${two(minutes)}:${two(whole % 60)}`;
}

/** A measured duration: 0.8 s, 12 s, 3:05. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  return formatCountdown(ms / 1000);
}

/** Date and time in the reader's zone. */
export function formatMoment(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso));
}

export function formatDay(iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date(iso));
}
