/** A grade sheet: chosen, looked at change by change, and only then written. */
import type { ScoreImport } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../../kernel/language.tsx';
import { FileImport, PreviewRows } from '../../../ui/form/FileImport.tsx';
import { pointsText } from '../homework.ts';
import { importScores, previewScores, type HomeworkPlace } from './homework-admin.api.ts';

function Changes({ preview }: { readonly preview: ScoreImport }): ReactNode {
  const words = useMessages().homeworkAdmin;
  const points = (score: number | null): string =>
    score === null ? words.none : pointsText(score);
  const comment = (text: string): string => (text === '' ? words.none : text);
  return (
    <PreviewRows
      head={[
        { title: words.importRow, isNumber: true },
        { title: words.person },
        { title: words.studentID },
        { title: words.importChange },
      ]}
    >
      {preview.Changes.map(({ Row, Name, StudentID, Before, After }) => (
        <tr key={`change ${Row}`}>
          <td className="table-number num" data-label={words.importRow}>
            {Row}
          </td>
          <th scope="row" data-label={words.person}>
            {Name}
          </th>
          <td data-label={words.studentID}>{StudentID}</td>
          <td data-label={words.importChange}>
            <div>
              {Before.Score === After.Score ? null : (
                <div className="num">
                  {words.historyLine(points(Before.Score), points(After.Score))}
                </div>
              )}
              {Before.Comment === After.Comment ? null : (
                <div className="homework-comment">
                  {words.commentChanged(comment(Before.Comment), comment(After.Comment))}
                </div>
              )}
            </div>
          </td>
        </tr>
      ))}
      {preview.Problems.map(({ Row, Name, StudentID, Problem }) => (
        <tr key={`problem ${Row}`}>
          <td className="table-number num" data-label={words.importRow}>
            {Row}
          </td>
          <th scope="row" data-label={words.person}>
            {Name}
          </th>
          <td data-label={words.studentID}>{StudentID}</td>
          <td data-label={words.importChange} className="import-problems">
            {words.problems[Problem]}
          </td>
        </tr>
      ))}
    </PreviewRows>
  );
}

export function ImportScoresDialog({
  place,
  onDone,
  onClose,
}: {
  readonly place: HomeworkPlace;
  readonly onDone: () => unknown;
  readonly onClose: () => void;
}): ReactNode {
  const words = useMessages().homeworkAdmin;
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
      read={(file) => previewScores(place, file)}
      countOf={(preview) => preview.Changes.length}
      found={({ Changes: changes, Unchanged, Problems }) =>
        words.importFound(changes.length, Unchanged, Problems.length)
      }
      carryOut={async (file, { Token }) =>
        words.imported((await importScores(place, file, Token)).Changed)
      }
      carryOutLabel={words.importNow}
      // Somebody graded meanwhile: the preview says what the sheet would change now.
      outdated="changed_meanwhile"
      onDone={onDone}
      onClose={onClose}
    >
      {(preview) =>
        preview.Changes.length + preview.Problems.length === 0 ? null : (
          <Changes preview={preview} />
        )
      }
    </FileImport>
  );
}
