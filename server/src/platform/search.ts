/**
 * Full-text search in Chinese and English: we cut the words, PostgreSQL indexes them under its
 * `simple` configuration. Titles weigh A, texts B.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Jieba } from '@node-rs/jieba';
import { sql, type SQL } from 'drizzle-orm';

let cutter: Jieba | undefined;
/**
 * The dictionary takes 100 ms and 40 MB, so the first search or the first content loads it; its
 * text, which the package's own module would keep for good, is let go.
 */
const jieba = (): Jieba =>
  (cutter ??= Jieba.withDict(
    readFileSync(createRequire(import.meta.url).resolve('@node-rs/jieba/dict.txt')),
  ));

/** Words of a text, lower case, for the index and for queries alike. */
export const cutWords = (text: string): string[] =>
  jieba()
    .cutForSearch(text.normalize('NFKC').toLowerCase(), true)
    .map((word) => word.trim())
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

/** SQL of a weighted tsvector. */
export const searchVector = (titles: readonly string[], bodies: readonly string[]): SQL =>
  sql`setweight(to_tsvector('simple', ${titles.flatMap(cutWords).join(' ')}), 'A') || setweight(to_tsvector('simple', ${bodies.flatMap(cutWords).join(' ')}), 'B')`;

/** Text for `plainto_tsquery('simple', …)`. */
export const searchWords = (keyword: string): string => cutWords(keyword).join(' ');

/** A pattern for ILIKE that finds the keyword itself anywhere. */
export const likePattern = (keyword: string): string =>
  `%${keyword.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
