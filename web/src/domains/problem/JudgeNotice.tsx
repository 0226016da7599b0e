/** Says that what is sent now waits, and why. */
import type { ProgrammingLanguage } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { judgeQuery } from './problem.api.ts';

export function JudgeNotice({
  languages,
  isStaff = false,
}: {
  /** Those that matter here. */
  readonly languages: readonly ProgrammingLanguage[];
  /** Staff are told the reason. */
  readonly isStaff?: boolean;
}): ReactNode {
  const { messages } = useLanguage();
  const words = messages.problem;
  const { data } = useQuery(judgeQuery(isStaff));
  if (data === undefined) return null;
  const missing = languages.filter((one) => !data.Languages.includes(one));
  if (data.IsReady && missing.length === 0) return null;
  const names = missing.map((one) => words.languages[one]).join(messages.common.listSeparator);
  return (
    <output className="notice notice-warn">
      <p>{data.IsReady ? words.languageOff(names) : words.judgeOff}</p>
      {data.Reason === null ? null : <p className="muted">{words.judgeOffReason(data.Reason)}</p>}
    </output>
  );
}
