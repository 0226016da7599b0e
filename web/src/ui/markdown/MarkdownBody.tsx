/** Renders a text of ours: GFM, formulas, coloured code, callouts, media. No raw HTML. */
import { createContext, use, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import { loadChunk } from '../../kernel/chunks.ts';
import { useMessages } from '../../kernel/language.tsx';
import { Announcement } from '../Announcement.tsx';
import { Button } from '../Button.tsx';
import { CheckIcon, CopyIcon } from '../icons.tsx';
import { firstPicture, measurePicture, type KnownPicture } from './picture.ts';
import { schema } from './schema.ts';
import { rehypeText } from './transform.ts';
import './markdown.css';

type Plugins = NonNullable<Options['rehypePlugins']>;

function CodeBlock({ children, ...rest }: ComponentProps<'pre'>): ReactNode {
  const messages = useMessages();
  const ref = useRef<HTMLPreElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(ref.current?.textContent ?? '');
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className="code-block">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, so the keyboard must reach it */}
      <pre ref={ref} className={rest.className} tabIndex={0}>
        {children}
      </pre>
      <Button
        look="quiet"
        isIcon
        isSmall
        className="code-copy"
        aria-label={isCopied ? messages.common.copied : messages.common.copy}
        onClick={() => void copy()}
      >
        {isCopied ? <CheckIcon /> : <CopyIcon />}
      </Button>
      <Announcement>{isCopied ? messages.common.copied : ''}</Announcement>
    </div>
  );
}

const isExternal = (address: string): boolean => /^https?:/i.test(address);

const components: Components = {
  pre: ({ node: _node, ...rest }) => <CodeBlock {...rest} />,
  a: ({ node: _node, href = '', children, className, id }) =>
    isExternal(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer" className="text-link">
        {children}
      </a>
    ) : (
      <a href={href} id={id} className={className ?? 'text-link'}>
        {children}
      </a>
    ),
  table: ({ node: _node, children }) => (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wide tables scroll, so the keyboard must reach them
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // A long formula scrolls within itself, so the keyboard must reach it.
  span: ({ node: _node, className, ...rest }) => (
    <span
      className={className}
      {...rest}
      {...(className === 'katex-display' ? { tabIndex: 0 } : {})}
    />
  ),
  img: ({ node: _node, src, alt }) => <Picture src={src} alt={alt ?? ''} />,
};

/** The first picture of the text that is shown, once its size is known. */
const FirstPicture = createContext<KnownPicture | null>(null);

/**
 * The first picture is likely to be seen at once, so its place is kept for it; the others load
 * well before one comes to them.
 */
function Picture({
  src,
  alt,
}: {
  readonly src: string | undefined;
  readonly alt: string;
}): ReactNode {
  const first = use(FirstPicture);
  return first !== null && src === first.src ? (
    <img src={src} alt={alt} width={first.width} height={first.height} fetchPriority="high" />
  ) : (
    <img src={src} alt={alt} loading="lazy" decoding="async" />
  );
}

/** Formulas: commands that could load or link anything are off, and sizes are bounded. */
const loadMath = async (): Promise<Plugins> => {
  const [{ default: katex }] = await Promise.all([
    import('rehype-katex'),
    import('katex/dist/katex.min.css'),
  ]);
  return [
    [katex, { trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20, throwOnError: false }],
  ];
};
const loadHighlight = async (): Promise<Plugins> => {
  const { default: highlight } = await import('rehype-highlight');
  return [[highlight, { detect: false }]];
};

const loading = new Map<string, Promise<Plugins>>();
const once = (key: string, load: () => Promise<Plugins>): Promise<Plugins> => {
  const promise = loading.get(key) ?? loadChunk(load);
  loading.set(key, promise);
  return promise;
};
const NONE: Promise<Plugins> = Promise.resolve([]);

const pictures = new Map<string, Promise<KnownPicture | null>>();
const NO_PICTURE = Promise.resolve(null);

/** The size of a text's first picture; null without one, or when it takes long to come. */
function knowPicture(text: string, mediaPath: string): Promise<KnownPicture | null> {
  const src = firstPicture(text, mediaPath);
  if (src === null) return NO_PICTURE;
  const promise = pictures.get(src) ?? measurePicture(src);
  pictures.set(src, promise);
  return promise;
}

/**
 * Markup of a text with given later plug-ins. The order is the point: our changes, then the
 * sanitiser, and only then what is trusted to add markup of its own.
 */
export function MarkdownView(props: {
  readonly text: string;
  readonly mediaPath: string;
  readonly trusted: Plugins;
}): ReactNode {
  return (
    <div className="prose">
      <ReactMarkdown
        remarkPlugins={[remarkGfm, remarkMath]}
        rehypePlugins={[
          [rehypeText, { mediaPath: props.mediaPath }],
          [rehypeSanitize, schema],
          ...props.trusted,
        ]}
        components={components}
      >
        {props.text}
      </ReactMarkdown>
    </div>
  );
}

/** The text; formulas and code colours are loaded only where the text has any. */
export function MarkdownBody({
  text,
  mediaPath,
}: {
  readonly text: string;
  readonly mediaPath: string;
}): ReactNode {
  // All begin together; each is waited for.
  const loadingMath = text.includes('$') ? once('math', loadMath) : NONE;
  const loadingHighlight = /^\s*(?:```|~~~)/m.test(text) ? once('highlight', loadHighlight) : NONE;
  const loadingPicture = knowPicture(text, mediaPath);
  const math = use(loadingMath);
  const highlight = use(loadingHighlight);
  const picture = use(loadingPicture);
  return (
    <FirstPicture value={picture}>
      <MarkdownView text={text} mediaPath={mediaPath} trusted={[...math, ...highlight]} />
    </FirstPicture>
  );
}
