/** In the bar above the machine: the starter files, and copying them to where they can be changed. */
import type { LabResource } from '@hypercube/contract';
import { useState, type ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FolderIcon } from '../../ui/icons.tsx';
import { ResourceCopy } from '../lab/ResourceCopy.tsx';

interface FilesStripProps {
  readonly labID: number;
  readonly resources: readonly LabResource[];
}

export function FilesStrip({ labID, resources }: FilesStripProps): ReactNode {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const words = messages.usage.workspace;
  if (resources.length === 0) return null;
  return (
    <>
      <Button look="quiet" isSmall onClick={() => setOpen(true)} aria-haspopup="dialog">
        <FolderIcon />
        {words.filesCount(resources.length)}
      </Button>
      <span className="muted files-bundle">{words.bundle}</span>
      <ResourceCopy labID={labID} look="quiet" isSmall label={words.copyFiles} />
      {isOpen ? (
        <FilesDialog labID={labID} resources={resources} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

function FilesDialog({
  labID,
  resources,
  onClose,
}: FilesStripProps & { readonly onClose: () => void }): ReactNode {
  const messages = useMessages();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    new Set(resources.map((resource) => resource.ID)),
  );
  const toggle = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const isAll = chosen.size === resources.length;
  return (
    <Dialog title={messages.usage.workspace.files} onClose={onClose} isWide>
      <p className="muted">{messages.lab.resourcesHint}</p>
      <ul className="file-choices">
        {resources.map((resource) => (
          <li key={resource.ID}>
            <label>
              <input
                type="checkbox"
                checked={chosen.has(resource.ID)}
                onChange={() => toggle(resource.ID)}
                aria-label={messages.lab.selectFile(resource.Title)}
              />
              <span className="mono">{resource.Path}</span>
              <span className="tag">{messages.lab.resourceTypes[resource.Type]}</span>
              <span className="muted num">{formatBytes(resource.SizeBytes)}</span>
            </label>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        {chosen.size === 0 ? null : (
          <ResourceCopy
            labID={labID}
            look="primary"
            onDone={onClose}
            {...(isAll ? {} : { resourceIDs: [...chosen] })}
            label={isAll ? messages.lab.copyAll : messages.lab.copySelected(chosen.size)}
          />
        )}
      </div>
    </Dialog>
  );
}
