/** A class list: chosen, looked at row by row, and only then made into accounts. */
import type { AnswerOf, ImportProblem, routes } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileImport, PreviewRows } from '../../ui/form/FileImport.tsx';
import { download, toCsv } from '../../ui/table/csv.ts';
import { importUsers, previewImport } from './user.api.ts';

type Preview = AnswerOf<typeof routes.previewUserImport>;

const goodRows = (preview: Preview) => preview.List.filter(({ Problems }) => Problems.length === 0);

function ProblemText({ problem }: { readonly problem: ImportProblem }): ReactNode {
  const words = useMessages().userAdmin;
  return <li>{words.problems[problem.Rule](words.columns[problem.Field])}</li>;
}

function PreviewTable({ preview }: { readonly preview: Preview }): ReactNode {
  const words = useMessages().userAdmin;
  return (
    <PreviewRows
      head={[
        { title: words.importRow, isNumber: true },
        { title: words.columns.Username },
        { title: words.columns.Email },
        { title: words.columns.RealName },
        { title: words.importProblems },
      ]}
    >
      {preview.List.map((row) => (
        <tr key={row.Row}>
          <td className="table-number num" data-label={words.importRow}>
            {row.Row}
          </td>
          <th scope="row" data-label={words.columns.Username}>
            {row.Username}
          </th>
          <td data-label={words.columns.Email}>{row.Email}</td>
          <td data-label={words.columns.RealName}>{row.RealName}</td>
          <td data-label={words.importProblems}>
            {row.Problems.length === 0 ? (
              <span className="row">
                <span className="dot dot-good" aria-hidden="true" />
                {words.ready}
              </span>
            ) : (
              <ul className="import-problems">
                {row.Problems.map((problem) => (
                  <ProblemText key={`${problem.Field} ${problem.Rule}`} problem={problem} />
                ))}
              </ul>
            )}
          </td>
        </tr>
      ))}
    </PreviewRows>
  );
}

export function ImportDialog({
  onDone,
  onClose,
}: {
  readonly onDone: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.userAdmin;
  return (
    <FileImport
      words={{
        title: words.importTitle,
        text: words.importText,
        file: words.importFile,
        choose: words.chooseFile,
        reading: words.reading,
        nothing: words.importNothing,
      }}
      read={(file) => previewImport(file, () => undefined)}
      countOf={(preview) => goodRows(preview).length}
      found={(preview) => {
        const bad = preview.Total - goodRows(preview).length;
        return [words.importFound(preview.Total), ...(bad > 0 ? [words.importBad(bad)] : [])].join(
          messages.common.dotSeparator,
        );
      }}
      carryOut={async (_file, preview) => {
        const rows = goodRows(preview).map(({ Problems: _none, ...row }) => row);
        return words.imported((await importUsers(rows)).Made);
      }}
      carryOutLabel={words.importNow}
      // Somebody registered one of them meanwhile: the preview says who.
      outdated="import_refused"
      beside={
        <Button
          look="quiet"
          isSmall
          onClick={() => {
            const { Username, Email, Nickname, RealName, StudentID, Organisation, Type } =
              words.columns;
            const heading = [Username, Email, Nickname, RealName, StudentID, Organisation, Type];
            download('class-list.csv', toCsv([heading]));
          }}
        >
          {words.template}
        </Button>
      }
      onDone={onDone}
      onClose={onClose}
    >
      {(preview) => <PreviewTable preview={preview} />}
    </FileImport>
  );
}
