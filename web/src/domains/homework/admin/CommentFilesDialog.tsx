/** A zip of PDFs named for learners: chosen, matched, and only then given out. */
import type { CommentFileImport } from '@hypercube/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../../kernel/language.tsx';
import { FileImport, PreviewRows } from '../../../ui/form/FileImport.tsx';
import { importCommentFiles, type HomeworkPlace } from './homework-admin.api.ts';

function Files({ preview }: { readonly preview: CommentFileImport }): ReactNode {
  const messages = useMessages();
  const words = messages.homeworkAdmin;
  return (
    <PreviewRows head={[{ title: words.fileName }, { title: words.fileFor }]}>
      {preview.Matched.map(({ File: name, Name, StudentID, UserID, IsReplaced }) => (
        <tr key={UserID}>
          <th scope="row" data-label={words.fileName}>
            {name}
          </th>
          <td data-label={words.fileFor}>
            {[Name, StudentID, IsReplaced ? words.replaces : '']
              .filter((text) => text !== '')
              .join(messages.common.dotSeparator)}
          </td>
        </tr>
      ))}
      {preview.Unmatched.map(({ File: name, Problem }, index) => (
        // Files of several folders may be called the same.
        // oxlint-disable-next-line react/no-array-index-key -- the list never changes its order
        <tr key={`${index} ${name}`}>
          <th scope="row" data-label={words.fileName}>
            {name}
          </th>
          <td data-label={words.fileFor} className="import-problems">
            {words.fileProblems[Problem]}
          </td>
        </tr>
      ))}
    </PreviewRows>
  );
}

export function CommentFilesDialog({
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
        title: words.filesTitle,
        text: words.filesText,
        file: words.filesFile,
        choose: words.chooseFile,
        reading: words.reading,
        nothing: words.filesNothing,
      }}
      read={(file) => importCommentFiles(place, file, true)}
      countOf={(preview) => preview.Matched.length}
      found={(preview) => words.filesFound(preview.Matched.length, preview.Unmatched.length)}
      carryOut={async (file) =>
        words.filesDone((await importCommentFiles(place, file, false)).Matched.length)
      }
      carryOutLabel={words.filesNow}
      onDone={onDone}
      onClose={onClose}
    >
      {(preview) => <Files preview={preview} />}
    </FileImport>
  );
}
