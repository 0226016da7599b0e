/** From a notebook server that answers to the first output of a kernel, as a page would get it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';

interface Message {
  readonly msg_type: string;
  readonly parent_header?: { readonly msg_id?: string };
  readonly content: { readonly text?: string };
}

/**
 * Starts a kernel, runs `print(42)` and waits for what it prints.
 * @param base address of the session, with the slash at its end
 * @param credentials headers that whoever stands before the server wants to see
 */
export async function firstOutput(
  base: string,
  credentials: Readonly<Record<string, string>>,
): Promise<void> {
  // The server compares the cookie with the header and knows no other truth, so one made here will do.
  const token = randomBytes(16).toString('hex');
  const headers = {
    ...credentials,
    cookie: [credentials['cookie'], `_xsrf=${token}`]
      .filter((part) => part !== undefined)
      .join('; '),
    'x-xsrftoken': token,
  };
  const response = await fetch(`${base}api/kernels`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'python3' }),
  });
  if (!response.ok) throw new Error(`api/kernels: ${response.status} ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  const session = randomUUID();
  const request = randomUUID();
  const socket = new WebSocket(
    `${base.replace('http', 'ws')}api/kernels/${id}/channels?session_id=${session}`,
    { headers },
  );
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', (code) =>
        reject(new Error(`the kernel's channel was closed (${code})`)),
      );
      socket.once('open', () => {
        const header = {
          msg_id: request,
          msg_type: 'execute_request',
          session,
          username: '',
          version: '5.3',
          date: new Date().toISOString(),
        };
        const content = {
          code: 'print(42)',
          silent: false,
          store_history: true,
          user_expressions: {},
          allow_stdin: false,
        };
        socket.send(
          JSON.stringify({ channel: 'shell', header, parent_header: {}, metadata: {}, content }),
        );
      });
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Message;
        if (message.parent_header?.msg_id !== request) return;
        if (message.msg_type === 'error') reject(new Error('the cell failed'));
        if (message.msg_type === 'stream' && message.content.text === '42\n') resolve();
      });
    });
  } finally {
    socket.removeAllListeners('close');
    socket.on('error', () => undefined);
    socket.terminate();
  }
}
