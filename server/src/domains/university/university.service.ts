/** The list of universities: read once, told as it is, and asked where a name is. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { University } from '@hypercube/contract';
import { z } from 'zod';

/** `[Chinese name, English name, region]`; one of the names may be empty. */
const file = z.array(z.tuple([z.string(), z.string(), z.string().regex(/^[A-Z]{2}(-[A-Z]{2})?$/)]));

export interface Universities {
  /** The whole list as JSON, made once: it is the same for everybody. */
  readonly json: Buffer;
  readonly etag: string;
  /** By either name, whatever the case. */
  findUniversity(name: string): University | undefined;
}

const normal = (name: string): string => name.trim().toLowerCase();

/**
 * Reads the list.
 * @throws ZodError when the file is not such a list
 */
export async function readUniversities(path: string): Promise<Universities> {
  const rows = file.parse(JSON.parse(await readFile(path, 'utf8')));
  const list = rows.map(([zh, en, Region]): University => ({
    NameZh: zh || en,
    NameEn: en || zh,
    Region,
  }));
  const byName = new Map<string, University>();
  // The first of a name stays: the list begins with those that are known best.
  for (const row of list.toReversed()) {
    byName.set(normal(row.NameZh), row);
    byName.set(normal(row.NameEn), row);
  }
  const json = Buffer.from(JSON.stringify({ List: list, Total: list.length }));
  return {
    json,
    etag: `"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`,
    findUniversity: (name) => byName.get(normal(name)),
  };
}
