/** Account information: hidden until it is shown, to be copied, the private key as a file. */
import type { ResourceAccount, ResourceCredentials } from '@hypercube/contract';
import { useId, useState, type ReactNode } from 'react';
import { writeClipboard } from '../../kernel/clipboard.ts';
import { formatMoment } from '../../kernel/format.ts';
import { useLanguage, useMessages } from '../../kernel/language.tsx';
import { toast } from '../../kernel/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyIcon, EyeIcon, EyeOffIcon } from '../../ui/icons.tsx';
import { download } from '../../ui/table/csv.ts';
import { sshCommandOf } from './resource.ts';
import './resource.css';

function Line({
  label,
  value,
  isSecret = false,
}: {
  readonly label: string;
  readonly value: string;
  /** Dots stand for it until somebody asks to see it. */
  readonly isSecret?: boolean;
}): ReactNode {
  const messages = useMessages();
  const words = messages.resource;
  const [isShown, setShown] = useState(!isSecret);
  const copy = async (): Promise<void> => {
    if (await writeClipboard(value)) toast('success', messages.common.copied);
    else {
      setShown(true);
      toast('warning', words.copyFailed);
    }
  };
  return (
    <div className="credential">
      <dt>{label}</dt>
      <dd>
        {value === '' ? (
          <span className="muted">{words.notGiven}</span>
        ) : (
          <>
            {isShown ? (
              <code className="credential-value">{value}</code>
            ) : (
              <span className="credential-value">
                <span aria-hidden="true">••••••••</span>
                <span className="visually-hidden">{words.hidden}</span>
              </span>
            )}
            <span className="row credential-tools">
              {isSecret ? (
                <Button
                  look="quiet"
                  isIcon
                  isSmall
                  aria-label={isShown ? words.hide(label) : words.show(label)}
                  onClick={() => setShown(!isShown)}
                >
                  {isShown ? <EyeOffIcon /> : <EyeIcon />}
                </Button>
              ) : null}
              <Button
                look="quiet"
                isIcon
                isSmall
                aria-label={words.copy(label)}
                onClick={() => void copy()}
              >
                <CopyIcon />
              </Button>
            </span>
          </>
        )}
      </dd>
    </div>
  );
}

function Group({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section className="card credentials" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** What ends a key's last line is part of the file, not of the key. */
const keyFile = ({ SshPrivateKey }: ResourceCredentials): string => `${SshPrivateKey}\n`;

export function CredentialsCard({
  applyID,
  account,
}: {
  readonly applyID: number;
  readonly account: ResourceAccount;
}): ReactNode {
  const { messages, language } = useLanguage();
  const words = messages.resource;
  const { Credentials: credentials } = account;
  return (
    <>
      <p className="muted num">
        {words.accountUpdatedAt(formatMoment(account.UpdatedAt, language))}
      </p>
      {credentials.VpnUsername === '' && credentials.VpnPassword === '' ? null : (
        <Group title={words.vpn}>
          <dl>
            <Line label={words.vpnUsername} value={credentials.VpnUsername} />
            <Line label={words.vpnPassword} value={credentials.VpnPassword} isSecret />
          </dl>
        </Group>
      )}
      <Group title={words.ssh}>
        <dl>
          <Line label={words.sshAddress} value={credentials.SshAddress} />
          <Line label={words.sshPort} value={String(credentials.SshPort)} />
          <Line label={words.sshUsername} value={credentials.SshUsername} />
          <Line label={words.sshCommand} value={sshCommandOf(credentials)} />
          <Line label={words.sshPassword} value={credentials.SshPassword} isSecret />
          <Line label={words.sshPrivateKey} value={credentials.SshPrivateKey} isSecret />
        </dl>
        {credentials.SshPrivateKey === '' ? null : (
          <div className="row row-wrap">
            <Button
              onClick={() =>
                download(`hypercube-${applyID}.pem`, keyFile(credentials), 'application/x-pem-file')
              }
            >
              {words.downloadKey}
            </Button>
            <span className="muted">{words.keyHint}</span>
          </div>
        )}
      </Group>
    </>
  );
}
