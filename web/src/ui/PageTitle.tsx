/** The heading of a page: it names the browser tab and receives the focus after a navigation. */
import { useEffect, useRef, type ReactNode } from 'react';
import { takeArrival } from '../kernel/arrival.ts';
import { useLanguage } from '../kernel/language.tsx';
import { siteNames, useSite } from '../kernel/site.ts';
import { setPageTitle } from '../kernel/title.ts';

/** Names the browser tab. */
export function usePageTitle(title: string | undefined): void {
  const { messages, language } = useLanguage();
  const { name } = siteNames(useSite(), language, messages);
  useEffect(() => {
    if (title !== undefined) setPageTitle(title === '' ? name : `${title} · ${name}`);
  }, [title, name]);
}

/** @param name title of the tab where it is not the heading's own words */
export function PageTitle(props: {
  readonly children: ReactNode;
  readonly name: string;
  readonly className?: string;
}): ReactNode {
  const ref = useRef<HTMLHeadingElement>(null);
  usePageTitle(props.name);
  useEffect(() => {
    if (takeArrival()) ref.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={ref} tabIndex={-1} className={props.className}>
      {props.children}
    </h1>
  );
}
