import { type Html, html } from './html.ts';

/** A heading of a text, and its anchor. */
type Heading = Readonly<{ id: string; title: string }>;

/** The Markdown subset of descriptions: paragraphs, `###` headings, lists, `code` and **bold**. */
export const markdown = (text: string): readonly Html[] => text.split(/\n{2,}/).map(block);

/** Inline Markdown, without blocks. */
export const inline = (text: string): Html => {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`') && part.length > 1) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') && part.length > 3 ? html`<b>${part.slice(2, -2)}</b>` : html`${part}`;
  });
  return html`${parts}`;
};

/** The headings of a text, in order. */
export const headingsOf = (text: string): readonly Heading[] =>
  [...text.matchAll(/^### (.+)$/gm)].map(([, title = '']) => ({ id: idOf(title), title }));

const idOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const block = (text: string): Html => {
  if (text.startsWith('### ')) {
    const title = text.slice(4);
    return html`<h3 id="${idOf(title)}">${title}</h3>`;
  }
  const lines = text.split('\n');
  if (lines.every((line) => line.startsWith('- ')))
    return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`;
  if (lines.every((line) => /^\d+\. /.test(line)))
    return html`<ol>${lines.map((line) => html`<li>${inline(line.replace(/^\d+\. /, ''))}</li>`)}</ol>`;
  return html`<p>${inline(text)}</p>`;
};
