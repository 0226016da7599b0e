/** Before there is a personal computer: what it is, and what it can be made of. */
import type { Computer } from '@hypercube/contract';
import { useState, type ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { LeftIcon } from '../../ui/icons.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { ComputerKeeps } from './ComputerKeeps.tsx';
import './computer.css';

type Size = Computer['Specification'];

export function MakeComputerView({
  specifications,
  isBusy,
  onMake,
}: {
  readonly specifications: readonly Size[];
  readonly isBusy: boolean;
  readonly onMake: (specificationID: number) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.computer;
  const [chosenID, setChosenID] = useState<number | null>(null);
  const chosen = specifications.find(({ ID }) => ID === chosenID) ?? specifications[0];
  return (
    <div className="computer-make">
      <div className="wrap wrap-narrow stack">
        <div>
          <ButtonLink to={paths.index} look="quiet" isSmall>
            <LeftIcon />
            {words.back}
          </ButtonLink>
        </div>
        <div className="row computer-head">
          <Mark size={44} weight={1} />
          <div>
            <PageTitle name={messages.shell.computer}>{messages.shell.computer}</PageTitle>
            <p className="muted">{words.lead}</p>
          </div>
        </div>
        <p>{words.whatItIs}</p>
        <ComputerKeeps />
        {chosen === undefined ? (
          <p className="notice notice-warn">{words.noSizes}</p>
        ) : (
          <form
            className="card computer-form stack"
            onSubmit={(event) => {
              event.preventDefault();
              if (!isBusy) onMake(chosen.ID);
            }}
          >
            <fieldset className="computer-sizes">
              <legend className="field-label">{words.choose}</legend>
              {specifications.map((size) => (
                <label key={size.ID} className="computer-size">
                  <input
                    type="radio"
                    name="size"
                    checked={size.ID === chosen.ID}
                    onChange={() => setChosenID(size.ID)}
                  />
                  <span>{size.Name}</span>
                  <span className="muted num">
                    {size.Nodes.map((node) =>
                      messages.usage.size(
                        messages.common.cpus(node.Cpus),
                        formatBytes(node.MemoryBytes),
                      ),
                    ).join(messages.common.listSeparator)}
                  </span>
                </label>
              ))}
            </fieldset>
            <div className="row">
              <Button type="submit" look="primary" isBusy={isBusy}>
                {words.make}
              </Button>
            </div>
          </form>
        )}
      </div>
    </div>
  );
}
