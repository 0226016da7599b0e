/** What every page must know of the site, and how the page itself brings it along. */
import { SITE_ELEMENT, SSO_PROVIDERS, type SettingGroup, type SiteFace } from '@hypercube/contract';
import type { Settings } from '../setting/setting.service.ts';
import { logoPath } from './logos.ts';

const GROUPS: readonly SettingGroup[] = ['site', 'registration', ...SSO_PROVIDERS];

/** The face as the settings make it; pictures as the paths where a browser finds them. */
export const siteFace = (settings: Settings): (() => SiteFace) =>
  settings.derive(GROUPS, () => {
    const site = settings.current('site');
    return {
      ...site,
      Supporters: site.Supporters.map((supporter) => ({
        ...supporter,
        Logo: supporter.Logo === null ? null : logoPath(supporter.Logo),
      })),
      Registration: settings.current('registration'),
      Providers: SSO_PROVIDERS.map((Provider) => {
        const { NameZh, NameEn } = settings.current(Provider);
        return { Provider, NameZh, NameEn };
      }),
    };
  });

/** The pictures that the settings name. */
export const namedLogos = (settings: Settings): ReadonlySet<string> =>
  new Set(settings.current('site').Supporters.flatMap(({ Logo }) => Logo ?? []));

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? '');
/** Inside of an element that holds data, nothing may look like its end or like a comment. */
const escapeJSON = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });

/**
 * The built page with the site's names in it, and its face as data: nothing runs there, so the
 * policy of the page lets it be, and the first paint needs no further call.
 */
export function fillPage(html: string, face: SiteFace): string {
  const title = [...new Set([face.NameZh, face.NameEn])].join(' ');
  const intro = [face.IntroZh, face.IntroEn].filter((text) => text !== '').join(' ');
  const data = `<script type="application/json" id="${SITE_ELEMENT}">${escapeJSON(face)}</script>`;
  // By functions: a name may hold what a replacement would take for a pattern.
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escape(title)}</title>`)
    .replace(/(<meta\s+name="description"\s+content=")[^"]*"/, (whole, head: string) =>
      intro === '' ? whole : `${head}${escape(`${title}: ${intro}`)}"`,
    )
    .replace(
      /(<div class="boot">.*?<b>)[^<]*(<\/b>)/s,
      (_whole, head: string, tail: string) => `${head}${escape(face.NameZh)}${tail}`,
    )
    .replace('</head>', () => `${data}</head>`);
}
