/** Who finds a course and how it is joined, as it stands in the fields of a form. */
import {
  CourseJoinMode,
  INVITATION_CODE_PATTERN,
  INVITE_CODE_LIMITS,
  type ManagedCourse,
} from '@hypercube/contract';
import type { Catalogue } from '@hypercube/messages';
import { wayIn } from '../course.ts';

export interface JoinValues {
  readonly IsHidden: boolean;
  readonly IsPrivate: boolean;
  /** Number of the mode. */
  readonly JoinMode: string;
  readonly InviteCode: string;
  /** As the browser's field has them: local time without a zone; empty without a limit. */
  readonly InviteFrom: string;
  readonly InviteUntil: string;
}

export const EMPTY_JOINING: JoinValues = {
  IsHidden: false,
  IsPrivate: false,
  JoinMode: String(CourseJoinMode.public),
  InviteCode: '',
  InviteFrom: '',
  InviteUntil: '',
};

const two = (value: number): string => String(value).padStart(2, '0');

/** A moment as a field for date and time has it; seconds are cut. */
export function localMoment(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The moment that such a field names; null for an empty one. */
export const isoMoment = (local: string): string | null =>
  local === '' ? null : new Date(local).toISOString();

const modeOf = (value: string): CourseJoinMode =>
  Object.values(CourseJoinMode).find((mode) => String(mode) === value) ?? CourseJoinMode.public;

/** Whether a code lets people in. */
export const needsCode = (values: JoinValues): boolean =>
  wayIn({ IsPrivate: values.IsPrivate, JoinMode: modeOf(values.JoinMode) }) ===
  CourseJoinMode.inviteCode;

export const joinValuesOf = (course: Pick<ManagedCourse, keyof JoinValues>): JoinValues => ({
  IsHidden: course.IsHidden,
  IsPrivate: course.IsPrivate,
  JoinMode: String(course.JoinMode),
  InviteCode: course.InviteCode ?? '',
  InviteFrom: localMoment(course.InviteFrom),
  InviteUntil: localMoment(course.InviteUntil),
});

/** The fields of a call. What is not needed now is kept for later where it makes sense. */
export function joinBodyOf(values: JoinValues) {
  const code = values.InviteCode.trim();
  const isKept = !isReversed(values);
  return {
    IsHidden: values.IsHidden,
    IsPrivate: values.IsPrivate,
    JoinMode: modeOf(values.JoinMode),
    InviteCode: isCode(code) ? code : null,
    InviteFrom: isKept ? isoMoment(values.InviteFrom) : null,
    InviteUntil: isKept ? isoMoment(values.InviteUntil) : null,
  };
}

const isCode = (text: string): boolean =>
  text.length >= INVITE_CODE_LIMITS.min &&
  text.length <= INVITE_CODE_LIMITS.max &&
  INVITATION_CODE_PATTERN.test(text);

const isReversed = ({ InviteFrom, InviteUntil }: JoinValues): boolean =>
  InviteFrom !== '' && InviteUntil !== '' && Date.parse(InviteUntil) <= Date.parse(InviteFrom);

/** What is wrong with the values. */
export function joinErrors(values: JoinValues, messages: Catalogue): Record<string, string> {
  if (!needsCode(values)) return {};
  const { code } = messages.course;
  const text = values.InviteCode.trim();
  return {
    ...(text === ''
      ? { InviteCode: messages.form.required(code) }
      : isCode(text)
        ? {}
        : { InviteCode: messages.form.invalid(code) }),
    ...(isReversed(values) ? { InviteUntil: messages.course.admin.reversed } : {}),
  };
}
