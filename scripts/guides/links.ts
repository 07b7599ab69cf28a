import { posix } from 'node:path';
import { escapeMarkup } from '../../kernel/escape.ts';

/** Files of its own that a guide may link. */
const EXAMPLES = 'docs/examples/';

/**
 * The link of a page of docs/ to `href`, around `content`. A page that is served is linked by its address,
 * and so are examples; what only the source has is named by its path there.
 */
export const linkTo = (href: string, content: string, served: ReadonlySet<string>): string => {
  if (href.startsWith('#') || /^[a-z]+:/.test(href)) return anchor(href, content);
  const [file = '', heading] = href.split('#');
  const path = posix.join('docs', file);
  const name = /^docs\/([\w-]+)\.md$/.exec(path)?.[1];
  if (name !== undefined && served.has(name))
    return anchor(`${name}${heading === undefined ? '' : `#${heading}`}`, content);
  if (path.startsWith(EXAMPLES)) return anchor(file, content);
  return content === path ? `<code>${path}</code>` : `${content} <small>(${path} of the source)</small>`;
};

const anchor = (href: string, content: string): string => `<a href="${escapeMarkup(href)}">${content}</a>`;

/** The pictures and examples of a rendered page, by their paths from its folder. */
export const filesIn = (html: string): readonly string[] =>
  [...html.matchAll(/ (?:src|srcset|href)="(?!#|[a-z]+:)([^"#]+\.[a-z]+)"/g)].map(([, path = '']) => path);
