/** A page on the way to somewhere else: one sentence of what happens. */
import type { ReactNode } from 'react';
import { PageTitle } from '../../ui/PageTitle.tsx';
import './sso.css';

export function Way({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="wrap sso-way">
      <div className="row">
        <span className="spinner" aria-hidden="true" />
        <PageTitle name={text}>{text}</PageTitle>
      </div>
    </div>
  );
}
