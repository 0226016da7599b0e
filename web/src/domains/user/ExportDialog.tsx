/** Which columns an export of people has; it is what the list shows now. */
import { useState, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

export function ExportDialog<Column extends string>({
  title,
  text,
  columns: all,
  usual,
  labels,
  file,
  addressOf,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  /** In the order in which they stand in the sheet. */
  readonly columns: readonly Column[];
  /** Those that are chosen at first. */
  readonly usual: readonly Column[];
  readonly labels: Readonly<Record<Column, string>>;
  readonly file: string;
  /** Where the browser fetches the sheet. */
  readonly addressOf: (columns: readonly Column[]) => string;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.userAdmin;
  const [chosen, setChosen] = useState<ReadonlySet<Column>>(new Set(usual));
  const columns = all.filter((column) => chosen.has(column));
  const begin = (): void => {
    const link = document.createElement('a');
    link.href = addressOf(columns);
    link.download = file;
    link.click();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="muted">{text}</p>
      <fieldset className="field field-choices">
        <legend className="field-label">{words.exportColumns}</legend>
        <div className="row row-wrap">
          {all.map((column) => (
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
              {labels[column]}
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
