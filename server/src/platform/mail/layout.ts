/** Lays a mail out: plain text, and HTML that is legible in light and dark mail programs. */
import type { Language } from '@hypercube/contract';
import type { MailText } from '@hypercube/messages/mails';

export interface LaidOut {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (found) => ENTITIES[found] ?? '');

/** One line, whatever was in it: no line end can begin a header, no control character hides one. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px 12px; background: #f7f8fa; color: #0f172a; font: 16px/1.7 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 560px; margin: 0 auto; padding: 28px; background: #ffffff; border: 1px solid #d9dee7; border-radius: 8px; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
.brand { margin: 0 0 20px; color: #3b5bdb; font-weight: 600; }
.code { font: 600 32px/1.4 ui-monospace, Consolas, monospace; letter-spacing: 6px; }
.button { display: inline-block; padding: 10px 18px; border-radius: 8px; background: #3b5bdb; color: #ffffff; text-decoration: none; }
.link { color: #475569; font-size: 13px; }
@media (prefers-color-scheme: dark) {
  body { background: #0b1120; color: #e6eaf2; }
  main { background: #131b2c; border-color: #2b3650; }
  .brand { color: #9db2ff; }
  .link { color: #a7b1c2; }
}`;

/**
 * @param sender who writes: it heads the mail and signs it
 * @throws Error when the action leads anywhere but to a page: a template is wrong then
 */
export function layOutMail(language: Language, sender: string, mail: MailText): LaidOut {
  const brand = oneLine(sender);
  const { action, code } = mail;
  if (action && !/^https?:\/\//.test(action.url)) throw new Error('a mail links to no page');
  // A line of a template may be a list of its own, one entry below the other.
  const lines = mail.lines.map((line) => line.split('\n').map(oneLine));
  const text = [
    ...lines.map((parts) => parts.join('\n')),
    ...(code === undefined ? [] : [`    ${oneLine(code)}`]),
    ...(action ? [`${oneLine(action.label)}:\n${oneLine(action.url)}`] : []),
    `-- \n${brand}`,
  ].join('\n\n');
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<meta name="viewport" content="width=device-width"><title>${escape(oneLine(mail.subject))}</title>`,
    `<style>${STYLE}</style></head><body><main><p class="brand">${escape(brand)}</p>`,
    ...lines.map((parts) => `<p>${parts.map(escape).join('<br>')}</p>`),
    ...(code === undefined ? [] : [`<p class="code">${escape(oneLine(code))}</p>`]),
    ...(action
      ? [
          `<p><a class="button" href="${escape(oneLine(action.url))}">${escape(oneLine(action.label))}</a></p>`,
          `<p class="link">${escape(oneLine(action.url))}</p>`,
        ]
      : []),
    '</main></body></html>',
  ].join('\n');
  return { subject: oneLine(mail.subject), text, html };
}
