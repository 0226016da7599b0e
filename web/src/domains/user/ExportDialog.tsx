/** Which columns an export has; it is what the list shows now. */
import { USER_COLUMNS, type UserColumn } from '@hypercube/contract';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { exportAddress } from './user.api.ts';

const USUAL: ReadonlySet<UserColumn> = new Set<UserColumn>([
  'Username',
  'Nickname',
  'RealName',
  'Email',
  'Organisation',
  'StudentID',
  'Type',
  'Roles',
]);

export function ExportDialog({
  query,
  total,
  onClose,
}: {
  /** What the list is asked for. */
  readonly query: Readonly<Record<string, string>>;
  readonly total: number;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.userAdmin;
  const [chosen, setChosen] = useState<ReadonlySet<UserColumn>>(USUAL);
  const columns = USER_COLUMNS.filter((column) => chosen.has(column));
  const begin = (): void => {
    const link = document.createElement('a');
    link.href = exportAddress(query, columns);
    link.download = 'users.xlsx';
    link.click();
    onClose();
  };
  return (
    <Dialog title={words.exportTitle} onClose={onClose}>
      <p className="muted">{words.exportText(total)}</p>
      <fieldset className="field field-choices">
        <legend className="field-label">{words.exportColumns}</legend>
        <div className="row row-wrap">
          {USER_COLUMNS.map((column) => (
            <label key={column} className="choice">
              <input
                type="checkbox"
                checked={chosen.has(column)}
                onChange={(event) => {
                  const next = new Set(chosen);
                  if (event.target.checked) next.add(column);
                  else next.delete(column);
                  setChosen(next);
                }}
              />
              {words.columns[column]}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="dialog-actions">
        <Button onClick={onClose}>{messages.common.cancel}</Button>
        <Button
          look="primary"
          obstacle={columns.length === 0 ? messages.form.required(words.exportColumns) : null}
          onClick={begin}
        >
          {words.exportNow}
        </Button>
      </div>
    </Dialog>
  );
}
