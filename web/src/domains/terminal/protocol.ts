/**
 * What is said between a terminal on the page and the session's agent (`hypercube.terminal.1`):
 * text frames carry JSON, binary frames begin with their kind.
 */

export const TERMINAL_PROTOCOL = 'hypercube.terminal.1';

const OUTPUT = 1;
const INPUT = 2;
const ACKNOWLEDGED = 3;

/** Names that the agent takes. */
export const TERMINAL_NAME = /^[A-Za-z0-9_-]{1,32}$/;
/** Most terminals of one session. */
export const MAX_TERMINALS = 8;

export interface Attached {
  readonly kind: 'attached';
  /** Offset of the first byte that follows. */
  readonly from: number;
  /** Highest input number that the agent has had from this client. */
  readonly inputSeen: number;
  readonly isAlive: boolean;
}
export type ServerMessage =
  | Attached
  | { readonly kind: 'output'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'acknowledged'; readonly number: number }
  | { readonly kind: 'size'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'exit'; readonly code: number | null }
  | { readonly kind: 'refused'; readonly reason: string };

const whole = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;

function readText(text: string): ServerMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const message = value as Readonly<Record<string, unknown>>;
  switch (message['Type']) {
    case 'attached':
      return {
        kind: 'attached',
        from: whole(message['From']),
        inputSeen: whole(message['InputSeen']),
        isAlive: message['IsAlive'] !== false,
      };
    case 'size':
      return { kind: 'size', columns: whole(message['Columns']), rows: whole(message['Rows']) };
    case 'exit':
      return {
        kind: 'exit',
        code: typeof message['Code'] === 'number' ? message['Code'] : null,
      };
    case 'refused':
      return { kind: 'refused', reason: String(message['Reason']) };
    default:
      return null;
  }
}

/** Reads a frame; null for one that this version does not know. */
export function readMessage(data: string | ArrayBuffer): ServerMessage | null {
  if (typeof data === 'string') return readText(data);
  const view = new DataView(data);
  if (view.byteLength >= 9 && view.getUint8(0) === OUTPUT) {
    return {
      kind: 'output',
      offset: Number(view.getBigUint64(1)),
      bytes: new Uint8Array(data, 9),
    };
  }
  if (view.byteLength >= 5 && view.getUint8(0) === ACKNOWLEDGED)
    return { kind: 'acknowledged', number: view.getUint32(1) };
  return null;
}

/** A numbered piece of input. */
export function inputFrame(number: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(5 + bytes.length);
  const view = new DataView(frame.buffer);
  view.setUint8(0, INPUT);
  view.setUint32(1, number);
  frame.set(bytes, 5);
  return frame;
}

export const attachMessage = (of: {
  readonly name: string;
  readonly node: string;
  readonly client: string;
  readonly columns: number;
  readonly rows: number;
  readonly after: number | null;
}): string =>
  JSON.stringify({
    Type: 'attach',
    Name: of.name,
    Node: of.node,
    Client: of.client,
    Columns: of.columns,
    Rows: of.rows,
    After: of.after,
  });

export const resizeMessage = (columns: number, rows: number): string =>
  JSON.stringify({ Type: 'resize', Columns: columns, Rows: rows });

export const receivedMessage = (offset: number): string =>
  JSON.stringify({ Type: 'received', Offset: offset });
