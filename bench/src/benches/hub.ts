import type { Result } from '../kit/report.ts';
export async function benchHub(): Promise<Result> {
  return { rows: [], figures: {} };
}
