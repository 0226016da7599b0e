/** How a record reads: routes and things by the words of the page's language. */
import type { AuditRecord } from '@hypercube/contract';
import { useMessages } from '../../kernel/language.tsx';

/** Names that have a word; anything else, such as a part that is newer than this page, stays as it is. */
const wordOf = (words: Readonly<Record<string, string>>, name: string): string =>
  words[name] ?? name;

export function useAuditWords() {
  const messages = useMessages();
  const words = messages.audit;
  const kindText = (kind: string): string => wordOf(words.kinds, kind);
  return {
    kindText,
    actionText: ({ Method, Kind }: Pick<AuditRecord, 'Method' | 'Kind'>): string =>
      words.actionText(words.verbs[Method], kindText(Kind)),
    thingsText: ({ Things }: Pick<AuditRecord, 'Things'>): string =>
      Things.map(({ Title, ID }) => (Title === '' && ID !== null ? `#${ID}` : Title))
        .filter((text) => text !== '')
        .slice(0, 5)
        .join(messages.common.clauseSeparator),
    outcomeText: ({ Code }: Pick<AuditRecord, 'Code'>): string =>
      Code === null ? words.done : words.refusedAs(Code),
  };
}
