/** Words for a screen reader: said once, whenever they change. */
import type { ReactNode } from 'react';

export function Announcement({ children }: { readonly children: ReactNode }): ReactNode {
  return <output className="visually-hidden">{children}</output>;
}
