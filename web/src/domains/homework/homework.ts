/** How homework stands, and how long there is left, as pages say it. */
import { CorrectionState, HomeworkSubmitState, type HomeworkSummary } from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The dot beside a state: what asks for something is warm, what is done is green. */
export const dotOf = ({
  State,
  Correction,
}: Pick<HomeworkSummary, 'State' | 'Correction'>): string =>
  Correction === CorrectionState.corrected
    ? 'dot dot-good'
    : State === HomeworkSubmitState.unsubmitted
      ? 'dot dot-warn'
      : 'dot dot-busy';

/** The state in words: a correction says more than that it was handed in. */
export const stateText = (
  { State, Correction }: Pick<HomeworkSummary, 'State' | 'Correction'>,
  messages: Catalogue,
): string => {
  const words = messages.homework;
  return Correction === CorrectionState.corrected
    ? [words.corrections[Correction], ...(State === 2 ? [words.states[State]] : [])].join(
        messages.common.dotSeparator,
      )
    : words.states[State];
};

/** Whether the due time has passed. */
export const isOverdue = (dueAt: string, nowMs: number): boolean => Date.parse(dueAt) < nowMs;

/** How long there is left, in the largest unit that says something. */
export function leftText(dueAt: string, nowMs: number, messages: Catalogue): string {
  const words = messages.homework;
  const left = Date.parse(dueAt) - nowMs;
  if (left < 0) return words.overdue;
  const span =
    left >= 2 * DAY
      ? words.days(Math.floor(left / DAY))
      : left >= 2 * HOUR
        ? words.hours(Math.floor(left / HOUR))
        : words.minutes(Math.max(1, Math.ceil(left / MINUTE)));
  return words.dueIn(span);
}

/** The zone of this computer, such as `Asia/Shanghai`: a due time is nothing without it. */
export const zoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Points without decimals where there are none. */
export const pointsText = (points: number): string => String(points);
