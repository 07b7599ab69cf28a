import type {
  Json,
  OpenApi,
  Operation,
  ParameterObject,
  Reference,
  ResponseObject,
} from '../openapi/types.ts';
import type { Mention } from './guides/mentions.ts';
import { type Html, html } from './html.ts';
import { inline, markdown } from './markdown.ts';
import { schemaView, typeOf } from './schemaView.ts';

/**
 * How an operation, or a webhook, is called: `address` follows its method; which guides tell of it, and
 * samples.
 */
type Call = Readonly<{
  method: string;
  address: string;
  guides: readonly Mention[];
  samples: Html | null;
}>;

/** An operation, or a webhook, as a section of the page. */
export const operationView = (
  document: OpenApi,
  operation: Operation,
  { method, address, guides, samples }: Call,
): Html => html`<article id="${operation.operationId}"${isForKeys(operation) ? html` data-trial` : null}>
<h3>${operation.summary}</h3>
<p class="call"><b class="${method}">${method.toUpperCase()}</b> <code>${address}</code></p>
${markdown(operation.description ?? '')}
${needs(operation)}
${guidesView(guides)}
${samples}
${parametersView(operation.parameters.map((parameter) => resolved(document, parameter)))}
${bodyView(document, operation)}
${answersView(document, operation)}
</article>`;

/** Whether an API key may call it: then the page's script lets the reader try it. */
const isForKeys = ({ security, tags }: Operation): boolean =>
  !tags.includes('Webhooks') && security.some((one) => 'apiKey' in one);

const needs = ({ security, tags }: Operation): Html | null => {
  if (tags.includes('Webhooks')) return null;
  const names = security.flatMap((each) => Object.keys(each));
  return html`<p class="needs">${names.length === 0 ? 'Needs no key.' : html`Needs ${names.map((name) => html`<a href="#authentication">${words[name] ?? name}</a>`)}.`}</p>`;
};

const guidesView = (guides: readonly Mention[]): Html | null =>
  guides.length === 0
    ? null
    : html`<p class="needs">In the guides: ${guides.map(({ href, title }, index) => html`${index === 0 ? '' : ', '}<a href="${href}">${title}</a>`)}.</p>`;

const words: Readonly<Record<string, string>> = {
  apiKey: 'an API key',
  sessionToken: 'a session token of a person',
  sessionCookie: 'the cookie of a person’s session',
  metricsToken: 'the operator’s token, where METRICS_TOKEN is set',
};

const nameIn = (reference: unknown): string => String(reference).split('/').at(-1) ?? '';

const resolved = (document: OpenApi, parameter: ParameterObject | Reference): ParameterObject => {
  if (!('$ref' in parameter)) return parameter;
  const found = document.components.parameters[nameIn(parameter.$ref)];
  if (!found) throw new Error(`the document has no ${parameter.$ref}`);
  return found;
};

const parametersView = (parameters: readonly ParameterObject[]): Html | null =>
  parameters.length === 0
    ? null
    : html`<h4>Parameters</h4>
<table class="members"><tbody>${parameters.map(
        (
          parameter,
        ) => html`<tr><td><code>${parameter.name}</code> <small>${parameter.in}${parameter.required ? '' : ', optional'}</small></td>
<td>${typeOf(parameter.schema)}</td><td>${inline(parameter.description)}</td></tr>`,
      )}</tbody></table>`;

const bodyView = (document: OpenApi, { requestBody }: Operation): Html | null => {
  if (!requestBody) return null;
  return html`<h4>Body${requestBody.required ? '' : html` <small>optional</small>`}</h4>
${Object.values(requestBody.content).map(
  ({ schema, example }) => html`${bodySchema(document, schema)}${exampleView('Example', example)}`,
)}`;
};

/** A body's members in place; the schemas that they refer to have their own section. */
const bodySchema = (document: OpenApi, schema: Json): Html => {
  const named = document.components.schemas[nameIn(schema.$ref)];
  return named ? html`<p>${typeOf(schema)}</p>${schemaView(named)}` : schemaView(schema);
};

const answersView = (document: OpenApi, { responses }: Operation): Html => {
  const entries = Object.entries(responses);
  const answers = entries.flatMap(([status, answer]) =>
    '$ref' in answer ? [] : [answerView(document, status, answer)],
  );
  const refused = entries.flatMap(([status, answer]) =>
    '$ref' in answer ? [refusalView(status, answer)] : [],
  );
  const problems = refused.length === 0 ? null : html`<p class="problems">Problems: ${refused}</p>`;
  return html`<h4>Answers</h4>${answers}${problems}`;
};

const answerView = (
  document: OpenApi,
  status: string,
  { description, headers, content }: ResponseObject,
): Html => {
  const [media, body] = Object.entries(content ?? {})[0] ?? [];
  const names = Object.entries(headers ?? {}).map(([name, { $ref }]) => {
    const header = document.components.headers[nameIn($ref)];
    return html`<code title="${header?.description ?? ''}">${name}</code> `;
  });
  return html`<p><b class="status">${status}</b> ${inline(description)} ${body ? html`${typeOf(body.schema)} as <code>${media ?? ''}</code>.` : null}
${names.length > 0 ? html`<br><small>Headers: ${names}</small>` : null}</p>${exampleView('Example', body?.example)}`;
};

const refusalView = (status: string, { $ref }: Reference): Html => {
  const codes = nameIn($ref).split('_')[0]?.split('.') ?? [];
  return html`${codes.map((code) => html`<a href="problems/${code}">${status} ${code}</a> `)}`;
};

const exampleView = (title: string, example: unknown): Html | null =>
  example === undefined
    ? null
    : html`<details><summary>${title}</summary><pre tabindex="0">${JSON.stringify(example, null, 2)}</pre></details>`;
