/** The icon set: lines of one weight, the same as the mark's. Icons are decoration; names stand beside them. */
import type { ReactNode } from 'react';

interface IconProps {
  readonly size?: number;
}

/** Makes one of them; an icon of a single page lives beside that page. */
export const icon =
  (drawing: ReactNode) =>
  ({ size = 16 }: IconProps): ReactNode => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawing}
    </svg>
  );

export const SearchIcon = icon(
  <path d="M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 20 20" />,
);
export const ChartIcon = icon(<path d="M4.5 19.5h15M7.5 16V11M12 16V5.5M16.5 16V8.5" />);
export const BellIcon = icon(<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4" />);
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />);
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const SunIcon = icon(
  <path d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M5.6 18.4l1.1-1.1M17.3 6.7l1.1-1.1" />,
);
export const MoonIcon = icon(<path d="M19.5 14.2A7.8 7.8 0 0 1 9.8 4.5a7.8 7.8 0 1 0 9.7 9.7Z" />);
export const LeftIcon = icon(<path d="M19 12H5M11 6l-6 6 6 6" />);
export const ChevronLeftIcon = icon(<path d="m14.5 6-6 6 6 6" />);
export const ChevronRightIcon = icon(<path d="m9.5 6 6 6-6 6" />);
export const ChevronDownIcon = icon(<path d="m6 9.5 6 6 6-6" />);
export const PlayIcon = icon(<path d="M8 5.5v13l10.5-6.5L8 5.5Z" />);
export const PauseIcon = icon(<path d="M9 5.5v13M15 5.5v13" />);
export const RenewIcon = icon(<path d="M19.5 12A7.5 7.5 0 1 1 17 6.4M19.5 3.5v4h-4" />);
export const TrashIcon = icon(
  <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 12.5h9l1-12.5M10.5 11v5M13.5 11v5" />,
);
export const ExitIcon = icon(<path d="M14 4.5h5.5v15H14M4.5 12H15M11 8l4 4-4 4" />);
export const ExpandIcon = icon(<path d="M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15" />);
export const ShrinkIcon = icon(<path d="M9 4.5V9H4.5M19.5 9H15V4.5M15 19.5V15h4.5M4.5 15H9v4.5" />);
export const MoreIcon = icon(<path d="M5.5 12h.01M12 12h.01M18.5 12h.01" strokeWidth={2.6} />);
export const CopyIcon = icon(<path d="M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4" />);
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const FolderIcon = icon(<path d="M3.5 6.5h6l2 2.5h9v10.5h-17z" />);
export const FileIcon = icon(<path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4" />);
export const InfoIcon = icon(<path d="M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 11v5M12 8h.01" />);
export const WarnIcon = icon(<path d="M12 4.5 3.5 19.5h17L12 4.5ZM12 10v4.5M12 17h.01" />);
export const ErrorIcon = icon(<path d="M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM9 9l6 6M15 9l-6 6" />);
export const EyeIcon = icon(
  <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4Z" />,
);
export const EyeOffIcon = icon(
  <path d="M4 4l16 16M9.5 5.9A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.8M6 7.4A17 17 0 0 0 2.5 12s3.5 6.5 9.5 6.5a9 9 0 0 0 4-.9M10 10.2a2.7 2.7 0 0 0 3.8 3.8" />,
);
export const UserIcon = icon(
  <path d="M12 4.5a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4ZM4.5 20c.8-3.8 3.7-5.5 7.5-5.5s6.7 1.7 7.5 5.5" />,
);
export const GearIcon = icon(<path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4" />);
export const LanguageIcon = icon(
  <path d="M4 6h10M9 4v2M11.5 6c-.5 4-3.5 7-7 8.5M6.5 9.5c1 2.5 3 4.3 5.5 5M12.5 20l4-9.5 4 9.5M14 17h5" />,
);
export const KeyboardIcon = icon(
  <path d="M3.5 6.5h17v11h-17zM7 10h.01M10.5 10h.01M14 10h.01M17.5 10h.01M8 14h8" />,
);
export const GridIcon = icon(
  <path d="M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z" />,
);
export const HomeIcon = icon(<path d="M4 11.5 12 4.5l8 7M6 10v9.5h12V10" />);
export const FlaskIcon = icon(<path d="M9.5 3.5h5M10.5 3.5v6L5 19.5h14l-5.5-10v-6M8 14.5h8" />);
export const BookIcon = icon(
  <path d="M12 6.5C10.5 5 8 4.5 4 4.5v13c4 0 6.5.5 8 2 1.5-1.5 4-2 8-2v-13c-4 0-6.5.5-8 2ZM12 6.5v13" />,
);
export const MachineIcon = icon(
  <path d="M4 5h16v6H4zM4 13h16v6H4zM7.5 8h.01M7.5 16h.01M11 8h5.5M11 16h5.5" />,
);
