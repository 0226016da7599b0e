/** Zips for tests: honest ones, and such as no tool would make. */
import { Buffer } from 'node:buffer';
import { crc32, deflateRawSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

/** An ordinary zip, as a tool makes it. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(content), name);
  }
  zip.end();
  return buffer(zip.outputStream);
}

export interface RawEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** Unix mode in the attributes. */
  readonly mode?: number;
  /** General purpose bits: 0x1 encrypted, 0x800 UTF-8. */
  readonly flags?: number;
  /** What the headers say instead of the truth. */
  readonly declaredSize?: number;
  readonly crc?: number;
  readonly isDeflated?: boolean;
}

/** A zip written by hand, which says whatever it is told to say. */
export function rawZip(entries: readonly RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.isDeflated ? deflateRawSync(content) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0x800, 2);
    common.writeUInt16LE(entry.isDeflated ? 8 : 0, 4);
    common.writeUInt32LE(entry.crc ?? crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(entry.declaredSize ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, packed]);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
    attributes.writeUInt32LE(offset, 10);
    centrals.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02', 'latin1'),
        Buffer.from([20, 3]),
        common,
        attributes,
        name,
      ]),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
