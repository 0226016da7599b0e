/**
 * Checks that every text that people read is in the catalogue, in every language, and in use.
 * `node messages/check.ts` prints what is wrong and ends with 1 if anything is.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

export interface SourceFile {
  /** Path below the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface CheckInput {
  /** Language → its catalogue; the first one is the source. */
  readonly catalogues: Readonly<Record<string, object>>;
  readonly sources: readonly SourceFile[];
}

type Leaf = { readonly path: string; readonly kind: 'text' | 'function'; readonly arity: number };

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path: path.join('.'), kind: 'text', arity: 0 }];
  if (typeof value === 'function')
    return [{ path: path.join('.'), kind: 'function', arity: value.length }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

/** Keys that a language lacks or has on top, and functions that take other values. */
function compareLanguages(catalogues: CheckInput['catalogues']): string[] {
  const [[sourceName, source] = ['', {}], ...others] = Object.entries(catalogues);
  const expected = new Map(leavesOf(source).map((leaf) => [leaf.path, leaf]));
  return others.flatMap(([language, catalogue]) => {
    const found = new Map(leavesOf(catalogue).map((leaf) => [leaf.path, leaf]));
    const missing = [...expected.keys()].filter((path) => !found.has(path));
    const extra = [...found.keys()].filter((path) => !expected.has(path));
    // Error texts may differ in kind: each language decides which values it tells.
    const different = [...expected].filter(([path, leaf]) => {
      const other = found.get(path);
      if (other === undefined || path.startsWith('errors.')) return false;
      return other.kind !== leaf.kind || other.arity > leaf.arity;
    });
    return [
      ...missing.map((path) => `${language}: missing key ${path}`),
      ...extra.map((path) => `${language}: key ${path} is not in ${sourceName}`),
      ...different.map(
        ([path]) => `${language}: key ${path} takes other values than in ${sourceName}`,
      ),
    ];
  });
}

/** `a.b.c` of a chain of property accesses; what is not a plain name ends it. */
function chainOf(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...chainOf(node.expression), node.name.text];
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node))
    return chainOf(node.expression);
  return [];
}

interface Usage {
  /** Every chain of property accesses, as `.a.b.c` . */
  readonly chains: string[];
  /** Chains whose member is chosen at run time, or that are handed on whole. */
  readonly open: string[];
}

/**
 * Where texts are used. A name that stands for a part of the catalogue (`const words = x.usage.start`)
 * counts as that part, within its file.
 */
function usageIn(file: ts.SourceFile): Usage {
  const chains: string[] = [];
  const open: string[] = [];
  const aliases = new Map<string, string[]>();
  const collectAliases = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      if (ts.isPropertyAccessExpression(node.initializer)) {
        // One name may be declared in several functions of a file: it stands for all of them.
        const known = aliases.get(node.name.text) ?? [];
        aliases.set(node.name.text, [...known, chainOf(node.initializer).join('.')]);
      }
    }
    // `const { brand } = messages.common` uses that key.
    if (
      ts.isVariableDeclaration(node) &&
      ts.isObjectBindingPattern(node.name) &&
      node.initializer
    ) {
      const base = chainOf(node.initializer).join('.');
      for (const element of node.name.elements) {
        const key = element.propertyName ?? element.name;
        if (ts.isIdentifier(key)) chains.push(`.${base}.${key.text}`);
      }
    }
    ts.forEachChild(node, collectAliases);
  };
  collectAliases(file);
  const expand = (chain: readonly string[]): string[] => {
    const [head = '', ...rest] = chain;
    const bases = aliases.get(head) ?? [head];
    return [head, ...bases].map((base) => `.${[base, ...rest].join('.')}`);
  };
  const walk = (node: ts.Node): void => {
    if (ts.isElementAccessExpression(node)) open.push(...expand(chainOf(node.expression)));
    if (ts.isPropertyAccessExpression(node)) {
      const expanded = expand(chainOf(node));
      chains.push(...expanded);
      const isDeclaration =
        ts.isVariableDeclaration(node.parent) && node.parent.initializer === node;
      const isWithin =
        ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node;
      if (!isDeclaration && !isWithin && !ts.isElementAccessExpression(node.parent))
        open.push(...expanded);
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  return { chains, open };
}

/** Keys that nothing refers to. Error texts are chosen by code and belong to the contract. */
function unusedKeys(catalogue: object, files: readonly ts.SourceFile[]): string[] {
  const usages = files.map(usageIn);
  const chains = usages.flatMap((usage) => usage.chains).map((chain) => `${chain}.`);
  const open = usages.flatMap((usage) => usage.open);
  return leavesOf(catalogue)
    .map((leaf) => leaf.path)
    .filter((path) => !path.startsWith('errors.'))
    .filter((path) => {
      if (chains.some((chain) => chain.includes(`.${path}.`))) return false;
      // A group that is read by a computed key or handed on uses all of it; a whole domain does not.
      const parts = path.split('.');
      return !parts.some((_part, index) => {
        const group = parts.slice(0, index).join('.');
        return index >= 2 && open.some((chain) => chain.endsWith(`.${group}`));
      });
    })
    .map((path) => `unused key ${path}`);
}

const CJK = /[\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]/;
const WORDS = /[A-Za-z]{2,}/;
/** Attributes whose text people see or hear. */
const TEXT_ATTRIBUTES = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'summary',
  'title',
]);
/** Names of keys and code are the same in every language. */
const UNTRANSLATED_ELEMENTS = new Set(['kbd', 'code', 'style', 'script']);

function isUntranslated(node: ts.Node): boolean {
  const parent = node.parent as ts.Node | undefined;
  if (parent === undefined) return false;
  if (ts.isJsxElement(parent)) {
    return (
      UNTRANSLATED_ELEMENTS.has(parent.openingElement.tagName.getText()) || isUntranslated(parent)
    );
  }
  return ts.isJsxFragment(parent) || ts.isJsxExpression(parent) ? isUntranslated(parent) : false;
}

/** String literals that an expression in the place of a text can come to. */
function literalsOf(node: ts.Expression | undefined): ts.Node[] {
  if (node === undefined) return [];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node];
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map((span) => span.literal)];
  if (ts.isConditionalExpression(node))
    return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node)) return literalsOf(node.expression);
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isLogical =
      kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
    if (isLogical || kind === ts.SyntaxKind.PlusToken)
      return [...literalsOf(node.left), ...literalsOf(node.right)];
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return literalsOf(node.right);
  }
  return [];
}

const textOf = (node: ts.Node): string => ('text' in node ? String(node.text) : node.getText());

/** Texts that stand in the program instead of the catalogue. */
function strayTexts(file: ts.SourceFile): string[] {
  const found: string[] = [];
  const report = (node: ts.Node, what: string, text: string): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push(
      `${file.fileName}:${line + 1}: ${what} outside the catalogue: ${text.trim().slice(0, 60)}`,
    );
  };
  const isPage = file.fileName.startsWith('web/');
  const walk = (node: ts.Node): void => {
    const isLiteral =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node) ||
      ts.isJsxText(node) ||
      ts.isRegularExpressionLiteral(node);
    if (isLiteral && CJK.test(textOf(node))) report(node, 'Chinese text', textOf(node));
    if (isPage && ts.isJsxText(node) && WORDS.test(node.text) && !isUntranslated(node)) {
      report(node, 'text', node.text);
    }
    if (
      isPage &&
      ts.isJsxExpression(node) &&
      (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))
    ) {
      for (const literal of literalsOf(node.expression)) {
        if (WORDS.test(textOf(literal)) && !isUntranslated(node))
          report(literal, 'text', textOf(literal));
      }
    }
    if (isPage && ts.isJsxAttribute(node) && TEXT_ATTRIBUTES.has(node.name.getText(file))) {
      const value = node.initializer;
      const expression =
        value === undefined
          ? undefined
          : ts.isJsxExpression(value)
            ? value.expression
            : (value as ts.Expression);
      for (const literal of literalsOf(expression)) {
        if (WORDS.test(textOf(literal)))
          report(literal, `${node.name.getText(file)} text`, textOf(literal));
      }
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  return [...new Set(found)];
}

/** Files whose Chinese is data and not a text, each with its reason. */
export const DATA_FILES: Readonly<Record<string, string>> = {
  'server/src/domains/content/accounts.ts': 'names of the example accounts',
  'server/src/engines/sandbox/sandbox.programs.ts': 'what programs that are judged print',
  'server/src/platform/database/database.ts': 'a probe of how the database treats Chinese',
};

/** Everything that is wrong; empty when nothing is. */
export function checkTexts(input: CheckInput): string[] {
  const files = input.sources.map((source) =>
    ts.createSourceFile(
      source.path,
      source.text,
      ts.ScriptTarget.Latest,
      true,
      source.path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    ),
  );
  const [source = {}] = Object.values(input.catalogues);
  return [
    ...compareLanguages(input.catalogues),
    ...unusedKeys(source, files),
    ...files.filter((file) => !Object.hasOwn(DATA_FILES, file.fileName)).flatMap(strayTexts),
  ];
}

/** Folders whose programs people see texts of. */
const FOLDERS = ['web/src', 'server/src'];
const isProgram = (name: string): boolean =>
  /\.tsx?$/.test(name) && !/\.(?:test|contract)\.tsx?$/.test(name) && !name.endsWith('.d.ts');

/** Reads the sources of the repository. */
export function readSources(root: string): SourceFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && isProgram(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      // Tests and what only tests use may speak freely.
      .filter((path) => !relative(root, path).split(/[\\/]/).includes('testing'))
      .map((path) => ({
        path: relative(root, path).replaceAll('\\', '/'),
        text: readFileSync(path, 'utf8'),
      })),
  );
}

async function main(): Promise<void> {
  const [zh, en] = await Promise.all([
    import('./src/zh-CN/index.ts'),
    import('./src/en-US/index.ts'),
  ]);
  const root = fileURLToPath(new URL('..', import.meta.url));
  const sources = readSources(root);
  const problems = checkTexts({
    catalogues: { 'zh-CN': zh.catalogue, 'en-US': en.catalogue },
    sources,
  });
  for (const problem of problems) console.error(problem);
  const texts = leavesOf(zh.catalogue).length;
  console.log(
    problems.length === 0
      ? `${texts} texts in 2 languages, ${sources.length} source files: all in order.`
      : `${problems.length} problems in ${sources.length} source files.`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await main();
