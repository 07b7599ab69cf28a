import { escapeMarkup } from '../../kernel/escape.ts';

/** A piece of HTML. */
export type Html = Readonly<{ html: string }>;

type Part = Html | readonly Html[] | string | number | null;

/** HTML from a template: values are escaped unless they are HTML; null gives nothing. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts
    .map((text, index) => (index === 0 ? text : `${rendered(parts[index - 1] ?? null)}${text}`))
    .join(''),
});

const rendered = (part: Part): string => {
  if (part === null) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeMarkup(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
};
