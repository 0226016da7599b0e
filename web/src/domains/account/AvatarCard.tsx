/** One's own picture. */
import { SIZE_LIMITS, type User } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { formatBytes } from '../../kernel/format.ts';
import { describeError, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileField } from '../../ui/form/fields.tsx';
import { ErrorsTold } from '../../ui/form/told.ts';
import { AvatarCrop } from './AvatarCrop.tsx';
import { deleteAvatar, showUser, uploadAvatar } from './settings.api.ts';

/** What a browser may be asked to read before it is made small. */
const READ_BYTES = 4 * SIZE_LIMITS.avatar;

export function AvatarCard({ user }: { readonly user: User }): ReactNode {
  const messages = useMessages();
  const words = messages.account;
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const saving = useMutation({
    mutationFn: (picture: File) => uploadAvatar(user.ID, picture),
    onSuccess: ({ Avatar: path }) => {
      showUser(client, { ...user, Avatar: path });
      setFile(null);
      toast('success', words.avatarSaved);
    },
    onError: (error) => {
      setFile(null);
      setProblem(describeError(messages, error));
    },
    meta: { isHandled: true },
  });
  const removing = useMutation({
    mutationFn: () => deleteAvatar(user.ID),
    onSuccess: () => {
      showUser(client, { ...user, Avatar: null });
      toast('success', words.avatarRemoved);
    },
  });
  const choose = (chosen: File | null): void => {
    setProblem(
      chosen !== null && chosen.size > READ_BYTES
        ? words.avatarTooLarge(formatBytes(READ_BYTES))
        : null,
    );
    setFile(chosen !== null && chosen.size <= READ_BYTES ? chosen : null);
  };
  return (
    <section className="card settings-card" aria-labelledby="avatar">
      <div>
        <h2 id="avatar">{words.avatar}</h2>
        <p className="muted">{words.avatarLead}</p>
      </div>
      <div className="avatar-row">
        <Avatar name={user.Nickname || user.Username} path={user.Avatar} size={96} />
        <ErrorsTold value>
          <FileField
            label={words.avatar}
            file={null}
            choose={words.chooseAvatar}
            hint={words.avatarRule(formatBytes(READ_BYTES))}
            error={problem}
            onChange={choose}
          />
        </ErrorsTold>
      </div>
      {user.Avatar === null ? null : (
        <Button look="danger" isBusy={removing.isPending} onClick={() => removing.mutate()}>
          {words.removeAvatar}
        </Button>
      )}
      {file === null ? null : (
        <AvatarCrop
          file={file}
          isBusy={saving.isPending}
          onCut={(picture) => saving.mutate(picture)}
          onUnreadable={() => {
            setFile(null);
            setProblem(words.avatarUnreadable);
          }}
          onClose={() => setFile(null)}
        />
      )}
    </section>
  );
}
