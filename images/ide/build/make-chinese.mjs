/**
 * Puts the Chinese texts into this release's own form, as a language pack: make-chinese.mjs FOLDER.
 *
 * The texts come from an older edition of VS Code's language pack, by their keys. A text whose
 * original has other placeholders now would be wrong and is left out, and so are texts that did not
 * exist yet: those stay English. Where the same original is known under another key, the Chinese of
 * that key serves.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [root] = process.argv.slice(2);
const version = '4.3.2';
const code = join(root, 'code-server/lib/vscode');
const source = join(root, 'chinese/translations');
const target = join(code, 'extensions/chinese');
const { default: known } = await import(join(source, 'main.i18n.json.js'));
const keys = JSON.parse(readFileSync(join(code, 'out/nls.keys.json'), 'utf8'));
const originals = JSON.parse(readFileSync(join(code, 'out/nls.messages.json'), 'utf8'));

const placeholders = (text) => (text.match(/\{\d+\}/g) ?? []).toSorted().join();
const fits = (text, original) =>
  typeof text === 'string' && placeholders(text) === placeholders(original);

const texts = keys.flatMap(([module, names]) => names.map((name) => [module, name]));
const byOriginal = new Map();
for (const [index, [module, name]] of texts.entries()) {
  const text = known[module]?.[name];
  if (fits(text, originals[index])) byOriginal.set(originals[index], text);
}
const contents = {};
let translated = 0;
for (const [index, [module, name]] of texts.entries()) {
  const original = originals[index];
  const text = fits(known[module]?.[name], original)
    ? known[module][name]
    : byOriginal.get(original);
  if (text === undefined) continue;
  translated += 1;
  (contents[module] ??= {})[name] = text;
}
console.log(`${translated} of ${texts.length} texts are Chinese`);

mkdirSync(join(target, 'translations'), { recursive: true });
writeFileSync(
  join(target, 'translations/main.i18n.json'),
  JSON.stringify({ version: '1.0.0', contents }),
);
const translations = [{ id: 'vscode', path: './translations/main.i18n.json' }];
for (const file of readdirSync(join(source, 'extensions'))) {
  const id = file.replace('.i18n.json', '');
  const text = readFileSync(join(source, 'extensions', file), 'utf8');
  writeFileSync(join(target, 'translations', file), text);
  translations.push({ id, path: `./translations/${file}` });
}
const localization = {
  languageId: 'zh-cn',
  languageName: 'Chinese Simplified',
  localizedLanguageName: '中文(简体)',
  translations,
};
writeFileSync(
  join(target, 'package.json'),
  JSON.stringify({
    name: 'chinese',
    publisher: 'hypercube',
    displayName: '中文(简体)',
    version,
    license: 'MIT',
    engines: { vscode: '*' },
    categories: ['Language Packs'],
    contributes: { localizations: [localization] },
  }),
);
// What code-server would write once the pack was installed by hand.
writeFileSync(
  join(root, 'languagepacks.json'),
  JSON.stringify({
    'zh-cn': {
      hash: version,
      label: localization.localizedLanguageName,
      extensions: [{ extensionIdentifier: { id: 'hypercube.chinese' }, version }],
      translations: Object.fromEntries(
        translations.map(({ id, path }) => [id, join(target, path)]),
      ),
    },
  }),
);
