/** The switches of language and theme. */
import type { ReactNode } from 'react';
import { useLanguage, useMessages } from '../kernel/language.tsx';
import { setTheme, useTheme } from '../kernel/theme.ts';
import { Button } from '../ui/Button.tsx';
import { LanguageIcon, MoonIcon, SunIcon } from '../ui/icons.tsx';

export function ThemeButton(): ReactNode {
  const messages = useMessages();
  const theme = useTheme();
  return (
    <Button
      look="quiet"
      isIcon
      aria-label={messages.shell.switchTheme}
      title={messages.shell.switchTheme}
      onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
    >
      {theme === 'dark' ? <SunIcon size={18} /> : <MoonIcon size={18} />}
    </Button>
  );
}

export function LanguageButton({ isWide }: { readonly isWide?: boolean }): ReactNode {
  const { messages, language, setLanguage } = useLanguage();
  const other = language === 'zh-CN' ? 'en-US' : 'zh-CN';
  return (
    <Button look="quiet" lang={other} onClick={() => void setLanguage(other)}>
      {isWide ? <LanguageIcon size={18} /> : null}
      {messages.shell.switchLanguage}
    </Button>
  );
}
