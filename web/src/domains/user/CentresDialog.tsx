/** The supercomputing centres that time administrators look after. */
import { TEXT_LIMITS, type Centre } from '@hypercube/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { describeError, useLanguage } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { LineField } from '../../ui/form/fields.tsx';
import { ErrorState, LoadingRegion } from '../../ui/states.tsx';
import {
  CENTRES_KEY,
  USERS_KEY,
  centresQuery,
  createCentre,
  deleteCentre,
  updateCentre,
} from './user.api.ts';

export function CentresDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.userAdmin;
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(centresQuery(language));
  const [name, setName] = useState('');
  const [nameEn, setNameEn] = useState('');
  const [hasTried, setTried] = useState(false);
  /** The centre whose name the form changes; null: it adds one. */
  const [editing, setEditing] = useState<Centre | null>(null);
  const begin = (centre: Centre | null): void => {
    setEditing(centre);
    setName(centre?.NameZh ?? '');
    setNameEn(centre?.NameEn ?? '');
    setTried(false);
  };
  const changed = (done: string): void => {
    toast('success', done);
    void client.invalidateQueries({ queryKey: CENTRES_KEY });
    void client.invalidateQueries({ queryKey: USERS_KEY });
  };
  const saving = useMutation({
    mutationFn: () =>
      editing === null
        ? createCentre(name.trim(), nameEn.trim())
        : updateCentre(editing.ID, name.trim(), nameEn.trim()),
    onSuccess: () => {
      changed(editing === null ? words.centreAdded : messages.form.saved);
      begin(null);
    },
    meta: { isHandled: true },
  });
  const removing = useMutation({
    mutationFn: deleteCentre,
    onSuccess: (_nothing, centreID) => {
      changed(words.centreDeleted);
      if (editing?.ID === centreID) begin(null);
    },
    meta: { isHandled: true },
  });
  const failure = saving.error ?? removing.error;
  return (
    <Dialog title={words.manageCentres} onClose={onClose}>
      <p className="muted">{words.centresText}</p>
      {data === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion />
        )
      ) : (
        <ul className="dependents" aria-label={words.manageCentres}>
          {data.map((centre) => (
            <li key={centre.ID} className="row-apart">
              <span>
                {centre.Name} <span className="muted">{words.centreAdmins(centre.Admins)}</span>
              </span>
              <span className="row">
                <Button
                  isSmall
                  look="quiet"
                  aria-label={words.renameCentre(centre.Name)}
                  onClick={() => begin(centre)}
                >
                  {messages.form.edit}
                </Button>
                <Button
                  isSmall
                  look="danger"
                  aria-label={words.deleteCentre(centre.Name)}
                  onClick={() => removing.mutate(centre.ID)}
                >
                  {messages.form.delete}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      <form
        className="form"
        aria-label={editing === null ? words.newCentre : words.renameCentre(editing.Name)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (name.trim() !== '' && !saving.isPending) saving.mutate();
        }}
      >
        <LineField
          label={messages.form.inChinese(words.centreName)}
          value={name}
          max={TEXT_LIMITS.centreName}
          isRequired
          error={hasTried && name.trim() === '' ? messages.form.required(words.centreName) : null}
          onChange={setName}
        />
        <LineField
          label={messages.form.inEnglish(words.centreName)}
          hint={messages.form.englishHint}
          value={nameEn}
          max={TEXT_LIMITS.centreName}
          onChange={setNameEn}
        />
        {failure ? (
          <p className="notice notice-bad" role="alert">
            {describeError(messages, failure)}
          </p>
        ) : null}
        <div className="dialog-actions">
          {editing === null ? (
            <Button onClick={onClose}>{messages.common.close}</Button>
          ) : (
            <Button onClick={() => begin(null)}>{messages.common.cancel}</Button>
          )}
          <Button look="primary" type="submit" isBusy={saving.isPending}>
            {editing === null ? words.addCentre : messages.form.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
