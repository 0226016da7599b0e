/** A real mail server of a test: it keeps what it is handed. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Received {
  readonly from: string;
  readonly to: string[];
  readonly source: string;
}

/** Who may hand letters in. */
export interface Account {
  readonly user: string;
  readonly password: string;
}

/** A mail server that refuses as many letters as it is told to. */
export class Postman implements AsyncDisposable {
  readonly received: Received[] = [];
  refusals = 0;
  readonly #server: SMTPServer;

  private constructor(account: Account | undefined) {
    this.#server = new SMTPServer({
      authOptional: account === undefined,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === account?.user && password === account?.password
          ? done(null, { user: username })
          : done(new Error('535 no such account')),
      disabledCommands: ['STARTTLS'],
      logger: false,
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          if (this.refusals > 0) {
            this.refusals -= 1;
            return done(Object.assign(new Error('mailbox is busy'), { responseCode: 451 }));
          }
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            source: Buffer.concat(parts).toString('utf8'),
          });
          return done();
        });
      },
    });
  }

  /** @param account without it nobody has to say who they are */
  static async open(port = 0, account?: Account): Promise<Postman> {
    const postman = new Postman(account);
    const listening = postman.#server.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    return postman;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((done) => {
      this.#server.close(() => done());
    });
  }
}
