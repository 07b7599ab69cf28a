import { html } from './html.ts';
import { layout, type PageAnswer } from './layout.ts';

/** GET /: where everything else is, in links for people and in a `Link` header for programs (RFC 8631). */
export const indexPage = (version: string): PageAnswer => {
  const { headers, body } = layout(
    'Intake API',
    html`<main>
<h1>Intake API <small>${version}</small></h1>
<dl>
<dt><a href="docs">/docs</a></dt><dd>The API, to read.</dd>
<dt><a href="openapi.json">/openapi.json</a></dt><dd>The same for programs: OpenAPI 3.1.</dd>
<dt><a href="health/ready">/health/ready</a></dt><dd>Whether the service is ready, and which part is not.</dd>
</dl>
</main>`,
  );
  return { headers: { ...headers, Link: LINKS }, body };
};

const LINKS =
  '</docs>; rel="service-doc", </openapi.json>; rel="service-desc", </health/ready>; rel="status"';
