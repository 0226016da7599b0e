/** Beside the login form: a button for each site that is configured, and why the last try failed. */
import { SSO_PROVIDERS } from '@hypercube/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../../kernel/language.tsx';
import { paths } from '../../kernel/paths.ts';
import { ErrorIcon } from '../../ui/icons.tsx';
import { useProviderName } from './names.ts';
import { providersQuery } from './sso.api.ts';
import './sso.css';

/** @param redirect page of ours to go to after signing on */
export function SsoButtons({ redirect }: { readonly redirect: string | undefined }): ReactNode {
  const messages = useMessages();
  const words = messages.sso;
  const { data } = useQuery(providersQuery);
  const providerName = useProviderName();
  const search: { readonly err?: unknown } = useSearch({ strict: false });
  const failed = SSO_PROVIDERS.find((provider) => provider === search.err);
  const providers = data?.List ?? [];
  return (
    <>
      {failed === undefined ? null : (
        <p className="notice notice-bad row" role="alert">
          <ErrorIcon />
          <span>{words.failed(providerName(failed))}</span>
        </p>
      )}
      {providers.length === 0 ? null : (
        <div className="sso-buttons">
          <p className="sso-or muted">{words.or}</p>
          {providers.map(({ Provider }) => (
            <Link
              key={Provider}
              className="btn"
              to={paths.authorize}
              search={{ provider: Provider, ...(redirect === undefined ? {} : { redirect }) }}
              // Being looked at must not begin a sign-on.
              preload={false}
            >
              {words.signInWith(providerName(Provider))}
            </Link>
          ))}
        </div>
      )}
    </>
  );
}
