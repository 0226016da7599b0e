/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a datalist shows one name of two, and differs in every browser */
/** An organisation: found in the list of universities in either language, or any other name. */
import { ACCOUNT_LIMITS } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLanguage } from '../../kernel/language.tsx';
import { Announcement } from '../../ui/Announcement.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useToldError } from '../../ui/form/told.ts';
import { universitiesQuery } from './registration.api.ts';
import { findOrganisations } from './registration.ts';
import './registration.css';

export function OrganisationField({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | null | undefined;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.registration;
  const id = useId();
  const told = useToldError(error);
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [active, setActive] = useState(-1);
  // A large list: it comes when somebody begins.
  const list = useQuery({ ...universitiesQuery, enabled: isWanted });
  const found = isOpen ? findOrganisations(list.data?.List ?? [], value) : [];
  const nameOf = (index: number): string => {
    const row = found[index];
    return (language === 'zh-CN' ? row?.NameZh : row?.NameEn) ?? '';
  };
  const choose = (index: number): void => {
    onChange(nameOf(index));
    setOpen(false);
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen && found.length > 0) {
      event.preventDefault();
      setOpen(false);
      return;
    }
    if (event.key === 'Enter' && active >= 0 && active < found.length) {
      event.preventDefault();
      choose(active);
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    setOpen(true);
    if (found.length === 0) return;
    // Beyond either end it begins at the other one.
    const next = active + step;
    setActive(next < 0 ? found.length - 1 : next % found.length);
  };
  const isShown = isOpen && found.length > 0;
  useEffect(() => {
    // The focus stays in the field, so nothing else brings it into view.
    if (active >= 0)
      document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const isMissing = isOpen && value.trim() !== '' && list.data !== undefined && found.length === 0;
  return (
    <div className="organisation">
      <TextField
        label={words.organisation}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="organization"
        spellCheck={false}
        maxLength={ACCOUNT_LIMITS.organisationMax}
        required
        value={value}
        error={told}
        hint={
          list.error
            ? words.organisationFailed
            : isMissing
              ? words.organisationNone
              : words.organisationHint
        }
        onFocus={() => setWanted(true)}
        onBlur={() => {
          setOpen(false);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          onChange(event.target.value);
          setOpen(true);
          setActive(-1);
        }}
      />
      {isShown ? (
        <div
          className="organisation-list"
          id={`${id}-list`}
          role="listbox"
          aria-label={words.organisation}
        >
          {found.map((row, index) => (
            <div
              key={`${row.NameZh} ${row.NameEn}`}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className="organisation-option"
              // Before the field loses the focus, which closes the list.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(index);
              }}
            >
              <span>{nameOf(index)}</span>
              {row.NameZh === row.NameEn ? null : (
                <span className="muted">{language === 'zh-CN' ? row.NameEn : row.NameZh}</span>
              )}
            </div>
          ))}
        </div>
      ) : null}
      <Announcement>{isShown ? words.organisationResults(found.length) : ''}</Announcement>
    </div>
  );
}
