/** The way out: a mail server by SMTP. Without one, mails stay here and nothing leaves. */
import { createTransport } from 'nodemailer';

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageID: string;
}

export interface MailTransport {
  /** Hands a mail to the server. @throws Error with what the server, or the way to it, answered */
  send(letter: Letter): Promise<void>;
  close(): void;
}

export interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps://` for TLS from the start. */
  readonly url: string;
  /** What stands in From: an address, or `name <address>`. */
  readonly from: string;
}

const WAIT_MS = 15_000;

export function createSmtpTransport({ url, from }: SmtpOptions): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: 2 * WAIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html, messageID }) {
      await transport.sendMail({
        from,
        // As an object, so that nothing in it is read as a second address.
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: messageID,
        // Out-of-office programs answer no machine.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}
