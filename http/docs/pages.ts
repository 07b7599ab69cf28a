import { type ProblemCode, problemTypes } from '../engine/problems/problemTypes.ts';
import type { OpenApi, Operation } from '../openapi/types.ts';
import { type Html, html } from './html.ts';
import { layout, type PageAnswer } from './layout.ts';
import { headingsOf, inline, markdown } from './markdown.ts';
import { operationView } from './operationView.ts';
import { schemaView } from './schemaView.ts';

/** GET /docs: the document as a page to read. */
export const docsPage = (document: OpenApi): PageAnswer =>
  layout(
    `${document.info.title} API`,
    html`<nav aria-label="Contents">${contents(document)}</nav>
<main>
<h1>${document.info.title} API <small>${document.info.version}</small></h1>
<p class="lead">${document.info.summary}. This page is made from <a href="openapi.json">openapi.json</a>, an OpenAPI ${document.openapi} document.</p>
${markdown(document.info.description)}
${chapters(document)}
${webhooksView(document)}
${problemsView()}
${schemasView(document)}
</main>`,
  );

type PathOperation = Readonly<{ method: string; path: string; operation: Operation }>;

const operationsOf = ({ paths }: OpenApi, tag: string): readonly PathOperation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(({ operation }) => operation.tags.includes(tag));

const tagsWithOperations = (document: OpenApi) =>
  document.tags.flatMap(({ name, description }) => {
    const operations = operationsOf(document, name);
    return operations.length > 0 ? [{ name, description, operations }] : [];
  });

const idOf = (name: string): string => `chapter-${name.toLowerCase().replaceAll(' ', '-')}`;

const contents = (document: OpenApi): Html => html`<a class="brand" href="#top">${document.info.title}</a>
${headingsOf(document.info.description).map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}
${tagsWithOperations(document).map(
  ({ name, operations }) => html`<a class="chapter" href="#${idOf(name)}">${name}</a>
${operations.map(({ method, operation }) => html`<a href="#${operation.operationId}"><b class="${method}">${method.toUpperCase()}</b>${words(operation.operationId)}</a>`)}`,
)}
<a class="chapter" href="#webhooks">Webhooks</a>
${Object.entries(document.webhooks).map(([name, { post }]) => html`<a href="#${post.operationId}">${name}</a>`)}
<a class="chapter" href="#problem-codes">Problem codes</a>
<a class="chapter" href="#schemas">Schemas</a>
${Object.keys(document.components.schemas).map((name) => html`<a href="#schema-${name}">${name}</a>`)}`;

/** `createSession` as words. */
const words = (operationId: string): string => {
  const text = operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

const chapters = (document: OpenApi): readonly Html[] =>
  tagsWithOperations(document).map(
    ({
      name,
      description,
      operations,
    }) => html`<section><h2 id="${idOf(name)}">${name}</h2><p>${inline(description)}</p>
${operations.map(({ method, path, operation }) => operationView(document, operation, method, path))}</section>`,
  );

const webhooksView = (document: OpenApi): Html => html`<section><h2 id="webhooks">Webhooks</h2>
<p>${inline(document.tags.find(({ name }) => name === 'Webhooks')?.description ?? '')}</p>
${Object.entries(document.webhooks).map(([name, { post }]) => operationView(document, post, 'post', name))}</section>`;

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
  return layout(
    `${title} · Intake API`,
    html`<main>
<p><a href="../docs">Intake API</a> › <a href="../docs#problem-codes">Problem codes</a></p>
<h1>${title}</h1>
<p class="call"><b>${status}</b> <code>${code}</code></p>
<dl>
<dt>What it means</dt><dd>${inline(means)}</dd>
<dt>What to do</dt><dd>${inline(remedy)}</dd>
<dt>Trying again</dt><dd>${inline(retryable ? 'The same request may succeed later: `retryable` is true.' : 'The same request will be refused again: `retryable` is false.')}</dd>
</dl>
</main>`,
  );
};

/** GET /: links to everything else, for programs also in a `Link` header (RFC 8631). */
export const indexPage = (version: string): PageAnswer => {
  const { headers, body } = layout(
    'Intake API',
    html`<main>
<h1>Intake API <small>${version}</small></h1>
<dl>
<dt><a href="console">/console</a></dt><dd>The console, for people.</dd>
<dt><a href="docs">/docs</a></dt><dd>The API as a page.</dd>
<dt><a href="openapi.json">/openapi.json</a></dt><dd>The API for programs: OpenAPI 3.1.</dd>
<dt><a href="health/ready">/health/ready</a></dt><dd>Whether the service and its parts are ready.</dd>
</dl>
</main>`,
  );
  return { headers: { ...headers, Link: LINKS }, body };
};

const LINKS =
  '</docs>; rel="service-doc", </openapi.json>; rel="service-desc", </health/ready>; rel="status"';
