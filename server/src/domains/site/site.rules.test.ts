import type { SiteFace } from '@hypercube/contract';
import { describe, expect, test } from 'vitest';
import { PLAIN_SITE } from '../setting/setting.defaults.ts';
import { fillPage } from './site.face.ts';

const PAGE = `<!doctype html><html><head><title>超立方 Hypercube</title>
<meta
  name="description"
  content="超立方 Hypercube"
/></head><body><div id="root"><div class="boot"><img src="/mark.svg" /><b>超立方</b></div></div></body></html>`;

const face = (change: Partial<SiteFace> = {}): SiteFace => ({
  ...PLAIN_SITE,
  Registration: { Mode: 'open', Domains: [], Identities: [4] },
  Providers: [],
  ...change,
});
const dataOf = (page: string): unknown =>
  JSON.parse(
    /<script type="application\/json" id="site-face">(.*?)<\/script>/s.exec(page)?.[1] ?? '',
  );

describe('the page', () => {
  test('carries the face of the site, and is else as it was built', () => {
    const page = fillPage(PAGE, face());
    expect(dataOf(page)).toEqual(face());
    expect(page.replace(/<script.*<\/script>/s, '')).toBe(PAGE);
  });

  test('shows names and introduction before any program runs', () => {
    const page = fillPage(PAGE, face({ NameZh: '学堂', NameEn: 'Academy', IntroZh: '并行计算' }));
    expect(page).toContain('<title>学堂 Academy</title>');
    expect(page).toContain('<b>学堂</b>');
    expect(page).toContain('content="学堂 Academy: 并行计算"');
  });

  test.each([
    '</script><script>alert(1)</script>',
    '<!--<script>',
    '"onload="alert(1)',
    '</title><img src=x onerror=alert(1)>',
    "$& $1 $` $'",
    '\u2028&amp;',
  ])('what %j says stays a text', (hostile) => {
    const page = fillPage(PAGE, face({ NameZh: hostile, IntroZh: hostile, Record: hostile }));
    expect(dataOf(page)).toMatchObject({ NameZh: hostile, IntroZh: hostile, Record: hostile });
    // No element, attribute or end of one came with it.
    expect(page.match(/<[a-z!/]/gi)).toHaveLength((PAGE.match(/<[a-z!/]/gi)?.length ?? 0) + 2);
    expect(page.replace(/<script.*<\/script>/s, '')).not.toMatch(/"onload=/);
  });
});
