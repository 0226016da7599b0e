/** What may be in a text after sanitising. Formulas and colours of code are added afterwards by us. */
import { defaultSchema, type Options } from 'rehype-sanitize';
import { ID_PREFIX } from './transform.ts';

export const schema: Options = {
  ...defaultSchema,
  clobberPrefix: ID_PREFIX,
  tagNames: [...(defaultSchema.tagNames ?? []), 'video'],
  attributes: {
    ...defaultSchema.attributes,
    blockquote: [['className', 'callout']],
    strong: [['className', 'callout-title']],
    code: [['className', /^language-./, 'math-inline', 'math-display']],
    video: ['src', 'controls', ['preload', 'metadata'], 'ariaLabel'],
  },
  protocols: {
    ...defaultSchema.protocols,
    href: ['http', 'https', 'mailto'],
    // Only addresses of this site: anything with a scheme is dropped.
    src: [],
  },
};
