import { Marked, type RendererObject, type Token, type Tokens } from 'marked';
import type { Guide, Section } from '../../http/docs/guides/guide.ts';
import { escapeMarkup } from '../../kernel/escape.ts';
import { linkTo } from './links.ts';
import { tagsOf } from './tags.ts';

/**
 * A page of docs/ as it is served. `served` are the names of all pages that are: other files are named, not
 * linked.
 */
export const guideOf = (name: string, text: string, served: ReadonlySet<string>): Guide => {
  const ids = anchors();
  const renderer: RendererObject = {
    heading({ tokens, depth, text: title }) {
      return `<h${depth} id="${ids(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    table({ header, rows }) {
      const row = (cells: readonly Tokens.TableCell[]) =>
        `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>\n`;
      return `<table tabindex="0"><thead>${row(header)}</thead>\n<tbody>${rows.map(row).join('')}</tbody></table>\n`;
    },
    tablecell({ tokens, header, text: content }) {
      const name = header && content !== '' ? 'th' : 'td';
      return `<${name}>${this.parser.parseInline(tokens)}</${name}>`;
    },
    html: ({ text: tags }) => tagsOf(tags),
    link({ href, tokens }) {
      return linkTo(href, this.parser.parseInline(tokens), served);
    },
    code: ({ text: code, lang }) =>
      `<pre tabindex="0"><code${lang ? ` data-language="${escapeMarkup(lang)}"` : ''}>${escapeMarkup(code)}\n</code></pre>\n`,
  };
  const marked = new Marked({ renderer });
  const tokens = marked.lexer(text.replace(/^<!--.*?-->\n/, ''));
  return { name, title: titleOf(tokens), html: marked.parser(tokens), sections: sectionsOf(tokens) };
};

/** Names headings as GitHub does, each once. */
const anchors = () => {
  const taken = new Map<string, number>();
  return (title: string): string => {
    const id = title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    const before = taken.get(id) ?? 0;
    taken.set(id, before + 1);
    return before === 0 ? id : `${id}-${before}`;
  };
};

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

const titleOf = (tokens: readonly Token[]): string => {
  const heading = tokens.find(isHeading);
  if (!heading) throw new Error('a page of docs/ begins with its title');
  return plain(heading.text);
};

const sectionsOf = (tokens: readonly Token[]): readonly Section[] => {
  const ids = anchors();
  const sections: { id: string; title: string; text: string }[] = [];
  for (const token of tokens) {
    const last = sections.at(-1);
    if (isHeading(token)) sections.push({ id: ids(token.text), title: plain(token.text), text: '' });
    else if (last) last.text = `${last.text} ${plain(token.raw)}`.trim();
  }
  return sections;
};

/** Markdown as the words that it shows. */
const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>|^ *```.*$/gm, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
