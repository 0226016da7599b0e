/** Writes a gzip and a Brotli edition beside every text file of a build; the server sends what fits. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXTS = new Set(['.js', '.css', '.html', '.svg', '.json', '.txt']);
/** Smaller files fit into one packet anyway. */
const LEAST_BYTES = 1024;

const [folder = ''] = process.argv.slice(2);
const entries = await readdir(folder, { recursive: true, withFileTypes: true });
await Promise.all(
  entries
    .filter((entry) => entry.isFile() && TEXTS.has(extname(entry.name)))
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path);
      if (content.length < LEAST_BYTES) return;
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
      await writeFile(
        `${path}.br`,
        await promisify(brotliCompress)(content, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 10 },
        }),
      );
    }),
);
