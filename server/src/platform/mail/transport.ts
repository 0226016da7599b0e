/** The way out: a mail server by SMTP. Without one, mails stay here and nothing leaves. */
import type { MailSecurity } from '@hypercube/contract';
import { createTransport } from 'nodemailer';

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageID: string;
}

export interface MailTransport {
  /**
   * Hands a mail to the server.
   * @returns what the server answered
   * @throws Error with what the server, or the way to it, answered
   */
  send(letter: Letter): Promise<string>;
  close(): void;
}

/** Where the mail server is, and who we are there. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Empty: it asks for no name and no password. */
  readonly user: string;
  readonly password: string | null;
}

export interface SmtpOptions {
  /** As an address, `smtp://user:password@host:587` with whatever it carries, or part by part. */
  readonly server: string | SmtpServer;
  /** What stands in From. */
  readonly from: string | { readonly name: string; readonly address: string };
}

const WAIT_MS = 15_000;

const settingsOf = ({ host, port, security, user, password }: SmtpServer) => ({
  host,
  port,
  secure: security === 'tls',
  requireTLS: security === 'starttls',
  ...(user === '' ? {} : { auth: { user, pass: password ?? '' } }),
});

export function createSmtpTransport({ server, from }: SmtpOptions): MailTransport {
  const transport = createTransport({
    ...(typeof server === 'string' ? { url: server } : settingsOf(server)),
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
      const { response } = await transport.sendMail({
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
      return response;
    },
    close: () => transport.close(),
  };
}
