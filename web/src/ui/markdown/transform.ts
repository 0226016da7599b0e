/**
 * What our texts mean beyond ordinary Markdown, as changes of the HTML tree: media addresses,
 * videos, callouts, heading ids, links. Everything here runs before the sanitiser, so a mistake
 * here cannot let anything through.
 */
import type { Element, ElementContent, Root, RootContent } from 'hast';

export const ID_PREFIX = 'md-';
const VIDEO = /\.(?:webm|mp4)$/i;
const HEADING = /^h[1-6]$/;

const isElement = (node: RootContent | ElementContent | undefined): node is Element =>
  node?.type === 'element';

function textOf(node: RootContent | ElementContent): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : '';
}

/** Letters and digits of any script, joined by hyphens; made unique with a number. */
export function headingID(text: string, taken: Set<string>): string {
  const base =
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, '') || 'section';
  let id = base;
  for (let count = 2; taken.has(id); count++) id = `${base}-${count}`;
  taken.add(id);
  return id;
}

/** An address that is relative to the text: no scheme, no host, no way up. */
export const isRelative = (address: string): boolean =>
  /^[A-Za-z0-9_-][\w./-]*$/.test(address) && !address.split('/').includes('..');

function resolveMedia(element: Element, mediaPath: string): void {
  const address = String(element.properties['src'] ?? '');
  const name = String(element.properties['alt'] ?? '');
  if (!isRelative(address)) {
    // Pictures of other sites would tell them who reads; a link leaves the choice.
    element.tagName = 'a';
    element.properties = { href: address };
    element.children = [{ type: 'text', value: name === '' ? address : name }];
    return;
  }
  const source = `${mediaPath.replace(/\/$/, '')}/${address}`;
  if (VIDEO.test(address)) {
    element.tagName = 'video';
    element.properties = { src: source, controls: true, preload: 'metadata', ariaLabel: name };
    element.children = [];
  } else {
    element.properties = { src: source, alt: name };
  }
}

function markCallout(element: Element): void {
  const first = element.children.find(isElement);
  const head = first?.tagName === 'p' ? first.children[0] : undefined;
  if (first === undefined || !isElement(head) || head.tagName !== 'strong') return;
  element.properties = { className: ['callout'] };
  head.properties = { className: ['callout-title'] };
}

function change(element: Element, mediaPath: string, taken: Set<string>): void {
  if (HEADING.test(element.tagName)) {
    element.properties['id'] = headingID(textOf(element), taken);
    // The page has its own first heading.
    if (element.tagName === 'h1') element.tagName = 'h2';
  } else if (element.tagName === 'img') {
    resolveMedia(element, mediaPath);
  } else if (element.tagName === 'blockquote') {
    markCallout(element);
  } else if (element.tagName === 'a') {
    const address = String(element.properties['href'] ?? '');
    if (address.startsWith('#')) {
      const target = decodeURIComponentOr(address.slice(1));
      if (!target.startsWith('user-content-'))
        element.properties['href'] = `#${ID_PREFIX}${target}`;
    }
  }
  for (const child of element.children) {
    if (isElement(child)) change(child, mediaPath, taken);
  }
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The plug-in; `mediaPath` is what relative addresses are appended to. */
export function rehypeText({ mediaPath }: { readonly mediaPath: string }) {
  return (tree: Root): void => {
    const taken = new Set<string>();
    for (const child of tree.children) {
      if (isElement(child)) change(child, mediaPath, taken);
    }
  };
}
