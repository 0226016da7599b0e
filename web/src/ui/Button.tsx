/** Buttons and links that look like them. */
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

type Look = 'plain' | 'primary' | 'quiet' | 'danger' | 'danger-solid';
interface Shared {
  readonly look?: Look | undefined;
  readonly isSmall?: boolean | undefined;
  /** Shows an icon alone; the accessible name then comes from `aria-label`. */
  readonly isIcon?: boolean | undefined;
}

const classOf = ({ look = 'plain', isSmall, isIcon }: Shared, extra?: string): string =>
  [
    'btn',
    look === 'danger' ? 'btn-quiet btn-danger' : look !== 'plain' && `btn-${look}`,
    isSmall && 'btn-small',
    isIcon && 'btn-icon',
    extra,
  ]
    .filter(Boolean)
    .join(' ');

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  Shared & {
    readonly isBusy?: boolean | undefined;
    /**
     * Why it cannot be pressed. It stays in the tab order and shows the reason, which a
     * `disabled` button would hide from a keyboard.
     */
    readonly obstacle?: string | null | undefined;
  };

export function Button(props: ButtonProps): ReactNode {
  const { look, isSmall, isIcon, isBusy, obstacle, className, children, onClick, ...rest } = props;
  const isOff = isBusy === true || (obstacle ?? null) !== null;
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ look, isSmall, isIcon }, className)}
      {...(isOff ? { 'aria-disabled': true } : {})}
      // The title is the accessible description: the name comes from the words of the button.
      {...(obstacle ? { title: obstacle } : {})}
      onClick={(event) => {
        if (isOff) {
          event.preventDefault();
          return;
        }
        onClick?.(event);
      }}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

type ButtonLinkProps = Shared & {
  readonly to: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
  readonly 'aria-label'?: string | undefined;
  readonly title?: string | undefined;
};

/** A link to a page of ours in the look of a button. */
export function ButtonLink({
  look,
  isSmall,
  isIcon,
  className,
  to,
  children,
  ...rest
}: ButtonLinkProps): ReactNode {
  return (
    <Link to={to} className={classOf({ look, isSmall, isIcon }, className)} {...rest}>
      {children}
    </Link>
  );
}
