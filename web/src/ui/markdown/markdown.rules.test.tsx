import rehypeHighlight from 'rehype-highlight';
import rehypeKatex from 'rehype-katex';
import { catalogue } from '@hypercube/messages/zh-CN';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LanguageProvider } from '../../kernel/language.tsx';
import { MarkdownView } from './MarkdownBody.tsx';
import { headingID, isRelative } from './transform.ts';

const html = (text: string): string =>
  renderToStaticMarkup(
    <LanguageProvider language="zh-CN" messages={catalogue}>
      <MarkdownView
        text={text}
        mediaPath="/api/v1/lab/1/"
        trusted={[[rehypeKatex, { trust: false, strict: 'ignore' }], rehypeHighlight]}
      />
    </LanguageProvider>,
  );

/** What a browser would run or load: tags, handlers, addresses. Text that only looks like it is fine. */
function dangers(markup: string): string[] {
  // Everything inside of tags; quoted values are kept, so that addresses are seen.
  const tags = markup.match(/<[^>]+>/g) ?? [];
  return tags.filter(
    (tag) =>
      /^<\/?(?:script|iframe|object|embed|form|base|meta|link|style|svg:script|foreignobject)\b/i.test(
        tag,
      ) ||
      // A handler is a name outside of all quotation marks.
      /\son[a-z]+\s*=/i.test(tag.replaceAll(/"[^"]*"/g, '""')) ||
      /(?:href|src|action|xlink:href|srcset|poster)\s*=\s*"\s*(?:javascript|data|vbscript|file|blob):/i.test(
        tag,
      ) ||
      /\ssrc="(?!\/api\/v1\/lab\/1\/)/i.test(tag) ||
      /\s(?:srcdoc|formaction)\s*=/i.test(tag),
  );
}

describe('a text cannot run anything', () => {
  it.each([
    ['<script>alert(1)</script>'],
    ['<img src=x onerror=alert(1)>'],
    ['<svg onload=alert(1)><script>1</script></svg>'],
    ['<iframe src="javascript:alert(1)"></iframe>'],
    ['<a href="javascript:alert(1)">x</a>'],
    ['<style>@import "https://evil.example"</style>'],
    ['<details open ontoggle=alert(1)>'],
    ['<math><mi//xlink:href="data:x,<script>alert(4)</script>">'],
    ['[x](javascript:alert(1))'],
    ['[x](JaVaScRiPt:alert(1))'],
    ['[x](java\tscript:alert(1))'],
    ['[x](&#106;avascript:alert(1))'],
    ['[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['[x](vbscript:msgbox)'],
    ['[x](file:///etc/passwd)'],
    ['<javascript:alert(1)>'],
    ['![x](javascript:alert(1))'],
    ['![x](data:image/svg+xml,<svg onload=alert(1)>)'],
    ['![x](https://evil.example/track.png)'],
    ['![x](//evil.example/track.png)'],
    ['![x](../../../user/auth)'],
    ['![x](media/../../../user/1)'],
    ['![x](/api/v1/user/auth)'],
    ['![x](media/a.svg "y\\" onerror=alert(1)")'],
    ['![x" onerror="alert(1)](media/a.svg)'],
    ['![x](javascript:alert(1).mp4)'],
    ['![x](https://evil.example/a.webm)'],
    ['## <img src=x onerror=alert(1)>'],
    ['## "onmouseover="alert(1)'],
    ['# ![](javascript:alert(1))'],
    ['> **<script>alert(1)</script>**'],
    ['```html\n<script>alert(1)</script>\n```'],
    ['```"onmouseover="alert(1)\nx\n```'],
    ['`<script>alert(1)</script>`'],
    ['| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |'],
    ['$\\href{javascript:alert(1)}{x}$'],
    ['$\\url{javascript:alert(1)}$'],
    ['$\\includegraphics[height=1em]{https://evil.example/a.png}$'],
    ['$\\htmlData{onclick=alert(1)}{x}$'],
    ['$\\htmlClass{x" onclick="alert(1)}{x}$'],
    ['$$\\text{<script>alert(1)</script>}$$'],
    ['$<img src=x onerror=alert(1)>$'],
    ['[^1]\n\n[^1]: <script>alert(1)</script>'],
    ['[x]: javascript:alert(1)\n\n[x]'],
    ['<!--><script>alert(1)</script>-->'],
    ['- [ ] <input onfocus=alert(1) autofocus>'],
  ])('%s', (text) => {
    expect(dangers(html(text))).toEqual([]);
  });

  it('and the search for dangers finds one', () => {
    for (const bad of [
      '<script>',
      '<img src="x">',
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<video src="https://evil.example/a.mp4">',
    ]) {
      expect(dangers(bad)).toEqual([bad]);
    }
  });
});

describe('a text shows', () => {
  it('pictures from its own media', () => {
    expect(html('![环](media/ring.svg)')).toContain(
      '<img src="/api/v1/lab/1/media/ring.svg" alt="环"',
    );
  });
  it('a video with controls, which loads nothing but its outline', () => {
    const markup = html('![演示](media/run.webm)');
    expect(markup).toMatch(/<video[^>]*src="\/api\/v1\/lab\/1\/media\/run\.webm"/);
    expect(markup).toMatch(
      /<video[^>]*controls=""[^>]*preload="metadata"|<video[^>]*preload="metadata"[^>]*controls/,
    );
    expect(markup).toMatch(/<video[^>]*aria-label="演示"/);
  });
  it('a picture of another site as a link', () => {
    const markup = html('![图](https://example.org/a.png)');
    expect(markup).toContain('href="https://example.org/a.png"');
    expect(markup).not.toContain('<img');
  });
  it('links of other sites without giving them this page', () => {
    expect(html('[x](https://example.org)')).toMatch(
      /<a href="https:\/\/example\.org"[^>]*rel="noopener noreferrer"/,
    );
    expect(html('[x](/lab)')).not.toContain('target=');
  });
  it('callouts, in every language', () => {
    for (const word of ['想一想', 'Think']) {
      const markup = html(`> **${word}**\n>\n> why?`);
      expect(markup).toContain('<blockquote class="callout">');
      expect(markup).toContain(`<strong class="callout-title">${word}</strong>`);
    }
    expect(html('> only a quotation')).not.toContain('callout');
  });
  it('headings below the page’s own, with ids that cannot shadow anything', () => {
    expect(html('# 标题')).toMatch(/<h2 id="md-标题">/);
    expect(html('## location\n\n## location')).toMatch(/id="md-location".*id="md-location-2"/s);
    expect(html('[x](#标题)')).toContain('href="#md-');
  });
  it('formulas and coloured code', () => {
    expect(html('$\\log_2 p$')).toContain('class="katex"');
    expect(html('$$\n\\pi\n$$')).toContain('katex-display');
    expect(html('```c\nint main(void) {}\n```')).toContain('hljs-');
  });
  it('tables, task lists and raw HTML as plain text', () => {
    expect(html('| a |\n|---|\n| 1 |')).toContain('<table>');
    expect(html('<b>x</b>')).not.toContain('<b>');
  });
  it('code that can be copied', () => {
    expect(html('```\nx\n```')).toContain(`aria-label="${catalogue.common.copy}"`);
  });
});

describe('ids of headings', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['想一想：为什么？', '想一想-为什么'],
    ['"><script>', 'script'],
    ['!!!', 'section'],
  ])('of %s', (text, id) => expect(headingID(text, new Set())).toBe(id));
});

describe('an address that is relative to the text', () => {
  it.each([
    ['media/ring.svg', true],
    ['a_b-c.png', true],
    ['../x', false],
    ['media/../x', false],
    ['/x', false],
    ['//x', false],
    ['.', false],
    ['', false],
    ['https://x', false],
    ['javascript:x', false],
    ['media/a b.svg', false],
    ['media/a?x=1', false],
    ['#x', false],
  ])('%s: %s', (address, is) => expect(isRelative(address)).toBe(is));
});
