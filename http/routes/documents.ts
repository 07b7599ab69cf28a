import { once } from '../../kernel/once.ts';
import { Type } from '../../kernel/schema.ts';
import { guideName, problemCode, searched } from '../../schemas/parameters.ts';
import { filesOf, pageAt } from '../engine/files.ts';
import type { Pages } from '../engine/pages.ts';
import { type ProblemCode, problemTypes } from '../engine/problems/problemTypes.ts';
import { type Route, route } from '../engine/route.ts';
import type { Facts } from '../openapi/document.ts';

// The document and the pages are imported on the first request, which shortens the startup.

/** The document's bytes, made once. */
const OpenApiDocument = Type.Unsafe<Buffer>({
  type: 'object',
  description: 'An OpenAPI 3.1 document.',
  additionalProperties: true,
  examples: [
    {
      openapi: '3.1.0',
      info: { title: 'Intake', version: '1.0.0' },
      paths: {},
      webhooks: {},
      components: {},
    },
  ],
});

const Page = Type.Unsafe<Buffer>({ type: 'string', description: 'An HTML page.' });

const get = { method: 'GET', access: 'none' } as const;
const page = {
  ...get,
  media: 'text/html; charset=utf-8',
  answers: { 200: Page },
  headers: ['ETag'],
} as const;
const pages = () => import('../docs/pages.ts');

/**
 * `guides` is the file that `npm run build` makes of the guides; `address` the service's, known once it
 * listens.
 */
type Documented = Facts & Readonly<{ guides: string; address(): string }>;

/** The routes and those that document them all, themselves included. */
export const documented = (
  routes: readonly Route[],
  { guides, address, ...facts }: Documented,
): readonly Route[] => {
  const document = once(async () => {
    const { documentOf } = await import('../openapi/document.ts');
    return documentOf(
      all.map(({ endpoint }) => endpoint),
      facts,
    );
  });
  const json = once(async () => Buffer.from(JSON.stringify(await document())));
  const site = once(async () => {
    const { readShelves } = await import('../docs/guides/guide.ts');
    return { document: await document(), shelves: readShelves(guides), address: address() };
  });
  const html = once(async () => (await pages()).docsPage(await site()));
  const guidesByName = once(async () => (await pages()).guidePages(await site()));
  const search = once(async () => ({ page: (await pages()).searchPages(await site()) }));
  const all: readonly Route[] = [
    ...routes,
    route({
      ...page,
      name: 'getIndex',
      summary: 'Links to the documentation and the health checks',
      description: 'A small page for people, and a `Link` header for programs.',
      path: '/',
    })({
      run: async () => ({ status: 200, ...(await pages()).indexPage(facts.version) }),
    }),
    route({
      ...get,
      name: 'getOpenApi',
      summary: 'This document, as OpenAPI 3.1',
      description: 'Made from what the service routes and checks; clients can be generated from it.',
      path: '/openapi.json',
      answers: { 200: OpenApiDocument },
    })({ run: async () => ({ status: 200, body: await json() }) }),
    route({
      ...page,
      name: 'getDocs',
      summary: 'This document, as a page',
      description: 'With samples, and links into the guides. It can be read without another host.',
      path: '/docs',
    })({
      run: async () => ({ status: 200, ...(await html()) }),
    }),
    route({
      ...page,
      name: 'getGuide',
      summary: 'A guide',
      description: 'The same text as in the repository, as a page.',
      path: '/docs/guides/{guide}',
      parameters: { guide: guideName },
    })({
      find: async ({ parameters }) => (await guidesByName()).get(parameters.guide) ?? null,
      run: async ({ found }) => ({ status: 200, ...found }),
    }),
    route({
      ...page,
      name: 'searchDocs',
      summary: 'Operations, guides and problems that have all words of a question',
      description: 'A page with links to what was found.',
      path: '/docs/search',
      query: { q: searched },
    })({
      run: async ({ query }) => ({ status: 200, ...(await search()).page(query.q ?? '') }),
    }),
    problem,
  ];
  return all;
};

const problem = route({
  ...page,
  name: 'getProblem',
  summary: 'The meaning of a problem code, and what to do',
  description: 'The page that the `type` of a problem names.',
  path: '/problems/{code}',
  parameters: { code: problemCode },
})({
  find: async ({ parameters }) => (isCode(parameters.code) ? parameters.code : null),
  run: async ({ found }) => ({ status: 200, ...(await pages()).problemPage(found) }),
});

const isCode = (text: string): text is ProblemCode => Object.hasOwn(problemTypes, text);

/** The files that the pages load, from the folder of `npm run build`: pictures, their style. */
export const docsFiles = (folder: string): Pages => {
  const files = filesOf(folder);
  return (path) => {
    const read = path.startsWith('/docs/') ? files.get(path.slice('/docs/'.length)) : undefined;
    return read ? pageAt('getDocsFile', path, read) : null;
  };
};
