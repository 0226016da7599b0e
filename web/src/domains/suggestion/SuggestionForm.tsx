/** The dialog in which a suggestion is written or changed. What is typed outlives a reload. */
import { COUNT_LIMITS, TEXT_LIMITS, type Suggestion } from '@hypercube/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { AreaField, CheckField, LineField } from '../../ui/form/fields.tsx';
import { Form, useDraft } from '../../ui/form/form.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import {
  SUGGESTION_KEY,
  createSuggestion,
  updateSuggestion,
  uploadPicture,
} from './suggestion.api.ts';
import './suggestion.css';

interface Draft {
  readonly title: string;
  readonly content: string;
  readonly isPublic: boolean;
  readonly pictures: readonly string[];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const draftOf = (suggestion: Suggestion | null): Draft => ({
  title: suggestion?.Title ?? '',
  content: suggestion?.Content ?? '',
  isPublic: suggestion?.IsPublic ?? true,
  pictures: suggestion?.Pictures ?? [],
});

function Pictures({
  paths,
  onChange,
}: {
  readonly paths: readonly string[];
  readonly onChange: (paths: readonly string[]) => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.suggestion;
  const id = useId();
  const adding = useMutation({
    mutationFn: uploadPicture,
    onSuccess: ({ Path }) => onChange([...paths, Path]),
  });
  return (
    <div className="field">
      <span className="field-label">{words.pictures}</span>
      <ul className="suggestion-pictures">
        {paths.map((path, index) => (
          <li key={path}>
            <img src={path} alt={words.picture(index + 1)} />
            <Button
              isIcon
              isSmall
              aria-label={words.removePicture(index + 1)}
              onClick={() => onChange(paths.filter((other) => other !== path))}
            >
              <CloseIcon size={14} />
            </Button>
          </li>
        ))}
        {paths.length < COUNT_LIMITS.suggestionPictures ? (
          <li>
            <input
              id={id}
              type="file"
              accept="image/png,image/jpeg,image/gif,image/webp"
              className="visually-hidden"
              aria-label={words.addPicture}
              aria-busy={adding.isPending}
              onChange={(event) => {
                const file = event.target.files?.[0];
                event.target.value = '';
                if (file && !adding.isPending) adding.mutate(file);
              }}
            />
            <label htmlFor={id} className="btn suggestion-add">
              {adding.isPending ? <span className="spinner" aria-hidden="true" /> : null}
              {words.addPicture}
            </label>
          </li>
        ) : null}
      </ul>
      <div className="field-hint">{words.picturesHint(COUNT_LIMITS.suggestionPictures)}</div>
    </div>
  );
}

export function SuggestionForm({
  suggestion,
  onClose,
}: {
  /** null: a new one. */
  readonly suggestion: Suggestion | null;
  readonly onClose: () => void;
}): ReactNode {
  const messages = useMessages();
  const words = messages.suggestion;
  const client = useQueryClient();
  const draft = useDraft<Draft>(
    suggestion === null ? 'suggestion.new' : `suggestion.${suggestion.ID}`,
    draftOf(suggestion),
  );
  const values = draft.values ?? draftOf(suggestion);
  const saving = useMutation({
    mutationFn: () => {
      const body = {
        Title: values.title,
        Content: values.content,
        IsPublic: values.isPublic,
        Pictures: values.pictures.map(nameOf),
      };
      return suggestion === null ? createSuggestion(body) : updateSuggestion(suggestion.ID, body);
    },
    onSuccess: () => {
      draft.forget();
      toast('success', suggestion === null ? words.submitted : words.saved);
      void client.invalidateQueries({ queryKey: SUGGESTION_KEY });
      onClose();
    },
    meta: { isHandled: true },
  });
  const errors = {
    ...(values.title.trim() === '' ? { title: messages.form.required(words.fieldTitle) } : {}),
    ...(values.content.trim() === ''
      ? { content: messages.form.required(words.fieldContent) }
      : {}),
  };
  const title = suggestion === null ? words.createTitle : words.editTitle;
  return (
    <Dialog title={title} isWide onClose={onClose}>
      <Form
        label={title}
        errors={errors}
        failure={saving.error}
        isBusy={saving.isPending}
        isDirty={false}
        submit={suggestion === null ? words.submit : words.save}
        onSubmit={() => saving.mutate()}
      >
        <LineField
          label={words.fieldTitle}
          value={values.title}
          max={TEXT_LIMITS.suggestionTitle}
          isRequired
          error={errors.title}
          onChange={(text) => draft.change({ title: text })}
        />
        <AreaField
          label={words.fieldContent}
          hint={words.contentHint}
          value={values.content}
          max={TEXT_LIMITS.suggestionContent}
          rows={6}
          isRequired
          error={errors.content}
          onChange={(content) => draft.change({ content })}
        />
        <Pictures paths={values.pictures} onChange={(pictures) => draft.change({ pictures })} />
        <CheckField
          label={words.isPublic}
          hint={words.isPublicHint}
          isOn={values.isPublic}
          onChange={(isPublic) => draft.change({ isPublic })}
        />
      </Form>
    </Dialog>
  );
}
