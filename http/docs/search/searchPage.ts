import { type Html, html } from '../html.ts';
import { layout, type PageAnswer } from '../layout.ts';
import { navigation } from '../navigation.ts';
import type { Site } from '../site.ts';
import { type Entry, entriesOf } from './entries.ts';
import { type Found, finderOf } from './find.ts';

const ROOT = '../';

/**
 * GET /docs/search: what the pages have on a question. The page's script shows the same list as one types.
 */
export const searchPages = (site: Site): ((question: string) => PageAnswer) => {
  const find = finderOf(entriesOf(site));
  const contents = navigation(site, { root: ROOT, shown: 'search' });
  return (question) =>
    layout({
      title: `Search · ${site.document.info.title}`,
      root: ROOT,
      navigation: contents,
      content: html`<h1>Search</h1>
<form class="search" action="${ROOT}docs/search"><input type="search" name="q" value="${question}" aria-label="Search for"> <button>Search</button></form>
${question === '' ? null : results(find(question))}`,
    });
};

const results = ({ words, entries }: Found): Html =>
  entries.length === 0
    ? html`<p id="found">Nothing has all these words.</p>`
    : html`<ul id="found">${entries.map(
        (entry) => html`<li><a href="${ROOT}${entry.href}">${entry.title}</a> <small>${entry.kind}</small>
<p>${excerpt(entry, words)}</p></li>
`,
      )}</ul>`;

const BEFORE = 40;
const LENGTH = 160;

/** The part of a text in which a word stands, with the words marked. */
const excerpt = ({ text }: Entry, words: readonly string[]): Html => {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu');
  const start = Math.max(0, (pattern.exec(text)?.index ?? 0) - BEFORE);
  const part = text.slice(start, start + LENGTH);
  const pieces = part
    .split(new RegExp(pattern))
    .map((piece, index) => (index % 2 === 1 ? html`<mark>${piece}</mark>` : html`${piece}`));
  return html`${start > 0 ? '…' : ''}${pieces}${start + LENGTH < text.length ? '…' : ''}`;
};
