import { type Html, html } from './html.ts';
import { headingsOf } from './markdown.ts';
import { chapterId, tagsWithOperations } from './operations.ts';
import type { Site } from './site.ts';

/**
 * Where the navigation stands: `root` leads to the service; `shown` is the name of a guide, or says which
 * other page it is.
 */
type Place = Readonly<{ root: string; shown: string }>;

/** What is shown on /docs. */
export const REFERENCE = 'reference';

/** The way to every guide and to every chapter of the API, from a page of the documentation. */
export const navigation = (site: Site, { root, shown }: Place): Html => {
  const guides = shelvesView(site, `${root}docs/guides/`, shown);
  return html`<nav aria-label="Contents">
<a class="brand" href="${root}docs">${site.document.info.title}</a>
<form role="search" action="${root}docs/search"><input type="search" name="q" placeholder="Search ( / )" aria-label="Search the documentation"></form>
${shown === REFERENCE ? [introduction(site), chapters(site, ''), ...guides] : [...guides, chapters(site, `${root}docs`)]}
</nav>`;
};

const shelvesView = ({ shelves }: Site, address: string, shown: string): readonly Html[] =>
  shelves.map(
    ({ purpose, guides }) => html`<p class="chapter">${purpose}</p>
${guides.map(({ name, title, sections }) =>
  name === shown
    ? html`<a href="${address}${name}" aria-current="page">${title}</a>
${sections.slice(1).map(
  (section) => html`<a class="section" href="#${section.id}">${section.title}</a>
`,
)}`
    : html`<a href="${address}${name}">${title}</a>
`,
)}`,
  );

const introduction = ({ document }: Site): Html => html`<p class="chapter">The API</p>
${headingsOf(document.info.description).map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}`;

/** Chapters of the API; on its own page with what each has. `page` is the address of that page. */
const chapters = ({ document }: Site, page: string): Html => {
  const chapter = (name: string, id: string, entries: readonly Html[]): Html =>
    page === ''
      ? html`<details><summary>${name}</summary><a href="#${id}">${name}: all</a>${entries}</details>
`
      : html`<a href="${page}#${id}">${name}</a>
`;
  return html`<p class="chapter">Reference</p>
${tagsWithOperations(document).map(({ name, operations }) =>
  chapter(
    name,
    chapterId(name),
    operations.map(
      ({ method, operation }) =>
        html`<a href="#${operation.operationId}"><b class="${method}">${method.toUpperCase()}</b>${words(operation.operationId)}</a>`,
    ),
  ),
)}
${chapter(
  'Webhooks',
  'webhooks',
  Object.entries(document.webhooks).map(
    ([name, { post }]) => html`<a href="#${post.operationId}">${name}</a>`,
  ),
)}
<a href="${page}#problem-codes">Problem codes</a>
${chapter(
  'Schemas',
  'schemas',
  Object.keys(document.components.schemas).map((name) => html`<a href="#schema-${name}">${name}</a>`),
)}`;
};

/** `createSession` as words. */
const words = (operationId: string): string => {
  const text = operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};
