/** The way out of mails, as the settings have it now. */
import type { Config } from '../../platform/config.ts';
import { createSmtpTransport, type MailTransport } from '../../platform/mail/transport.ts';
import type { Settings } from '../setting/setting.service.ts';

/** Opens the way anew; null: there is no mail server, and mails stay here. */
export function openWay(config: Config, settings: Settings): MailTransport | null {
  const { IsOn, Host, Port, Security, User, SenderName, SenderAddress } = settings.current('mail');
  if (!IsOn) return null;
  // As it stands there: its address may carry more than the parts that are shown.
  if (!settings.isSet('mail') && config.HC_SMTP_URL !== undefined)
    return createSmtpTransport({ server: config.HC_SMTP_URL, from: config.HC_MAIL_FROM });
  return createSmtpTransport({
    server: {
      host: Host,
      port: Port,
      security: Security,
      user: User,
      password: settings.secretOf('mail'),
    },
    from: { name: SenderName, address: SenderAddress },
  });
}

/** The one that the mailer keeps: it is opened anew when its settings change, and the old one ends. */
export const keptWay = (config: Config, settings: Settings): (() => MailTransport | null) =>
  settings.derive(
    ['mail'],
    () => openWay(config, settings),
    (old) => old?.close(),
  );
