import { type ProblemCode, problemTypes } from '../engine/problems/problemTypes.ts';
import type { OpenApi } from '../openapi/types.ts';
import { type Mention, mentionsOf, namerOf, withLinks } from './guides/mentions.ts';
import { type Html, html } from './html.ts';
import { layout, type PageAnswer } from './layout.ts';
import { inline, markdown } from './markdown.ts';
import { navigation, REFERENCE } from './navigation.ts';
import { chapterId, tagsWithOperations } from './operations.ts';
import { operationView } from './operationView.ts';
import { callsOf } from './samples/call.ts';
import { samplesView } from './samples/samples.ts';
import { schemaView } from './schemaView.ts';
import type { Site } from './site.ts';

export { guidePages } from './guides/guidePage.ts';
export { searchPages } from './search/searchPage.ts';

/** GET /docs: the document as a page to read. */
export const docsPage = (site: Site): PageAnswer => {
  const { document } = site;
  const namer = namerOf(document);
  const content = html`<h1>${document.info.title} API <small>${document.info.version}</small></h1>
<p class="lead">${document.info.summary}. This page is made from <a href="openapi.json">openapi.json</a>, an OpenAPI ${document.openapi} document.</p>
<h2 id="introduction">Introduction</h2>
<p>The samples take an API key from the variable <code>INTAKE_KEY</code>, and the session token of a person from <code>INTAKE_TOKEN</code>.</p>
${markdown(document.info.description)}
${chapters(site, mentionsOf(namer, site.shelves))}
${webhooksView(document)}
${problemsView()}
${schemasView(document)}`;
  return layout({
    title: `${document.info.title} API`,
    root: '',
    address: site.address,
    navigation: navigation(site, { root: '', shown: REFERENCE }),
    content: { html: withLinks(content.html, namer, '') },
  });
};

const chapters = ({ document, address }: Site, mentions: ReturnType<typeof mentionsOf>): readonly Html[] => {
  const callOf = callsOf(document);
  return tagsWithOperations(document).map(({ name, description, externalDocs, operations }) => {
    return html`<section><h2 id="${chapterId(name)}">${name}</h2>
<p>${inline(description)}</p>
${operations.map((one) =>
  operationView(document, one.operation, {
    method: one.method,
    address: one.path,
    guides: joined(mentions.get(one.operation.operationId) ?? [], externalDocs),
    samples: samplesView(callOf(one), address),
  }),
)}</section>`;
  });
};

/** The guide of the chapter follows those that name the operation. */
const joined = (mentions: readonly Mention[], chapter: OpenApi['tags'][number]['externalDocs']) =>
  chapter === undefined || mentions.some(({ href }) => href === chapter.url)
    ? mentions
    : [...mentions, { href: chapter.url, title: chapter.description }];

const webhooksView = (document: OpenApi): Html => html`<section><h2 id="webhooks">Webhooks</h2>
<p>${inline(document.tags.find(({ name }) => name === 'Webhooks')?.description ?? '')}</p>
${Object.entries(document.webhooks).map(([name, { post }]) => operationView(document, post, { method: 'post', address: name, guides: [], samples: null }))}</section>`;

const problemsView = (): Html => html`<section><h2 id="problem-codes">Problem codes</h2>
<table class="members"><tbody>${Object.entries(problemTypes).map(
  ([code, { status, title, retryable }]) =>
    html`<tr><td><a href="problems/${code}"><code>${code}</code></a></td><td>${status}</td><td>${title}${retryable ? ', may succeed later' : ''}</td></tr>`,
)}</tbody></table></section>`;

const schemasView = (document: OpenApi): Html => html`<section><h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(
  ([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>${schemaView(schema)}</article>`,
)}</section>`;

/** GET /problems/{code}: what a kind of problem means, and what to do. */
export const problemPage = (code: ProblemCode): PageAnswer => {
  const { status, title, means, remedy, retryable } = problemTypes[code];
  return layout({
    title: `${title} · Intake API`,
    root: '../',
    content: html`<p><a href="../docs">Intake API</a> › <a href="../docs#problem-codes">Problem codes</a></p>
<h1>${title}</h1>
<p class="call"><b>${status}</b> <code>${code}</code></p>
<dl>
<dt>What it means</dt><dd>${inline(means)}</dd>
<dt>What to do</dt><dd>${inline(remedy)}</dd>
<dt>Trying again</dt><dd>${inline(retryable ? 'The same request may succeed later: `retryable` is true.' : 'The same request will be refused again: `retryable` is false.')}</dd>
</dl>`,
  });
};

/** GET /: links to everything else, for programs also in a `Link` header (RFC 8631). */
export const indexPage = (version: string): PageAnswer => {
  const { headers, body } = layout({
    title: 'Intake API',
    root: '',
    content: html`<h1>Intake API <small>${version}</small></h1>
<dl>
<dt><a href="console">/console</a></dt><dd>The console, for people.</dd>
<dt><a href="docs">/docs</a></dt><dd>The API and its guides, to read.</dd>
<dt><a href="openapi.json">/openapi.json</a></dt><dd>The API for programs: OpenAPI 3.1.</dd>
<dt><a href="health/ready">/health/ready</a></dt><dd>Whether the service and its parts are ready.</dd>
</dl>`,
  });
  return { headers: { ...headers, Link: LINKS }, body };
};

const LINKS =
  '</docs>; rel="service-doc", </openapi.json>; rel="service-desc", </health/ready>; rel="status"';
