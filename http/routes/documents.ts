import { once } from '../../kernel/once.ts';
import { Type } from '../../kernel/schema.ts';
import { problemCode } from '../../schemas/parameters.ts';
import { type ProblemCode, problemTypes } from '../engine/problems/problemTypes.ts';
import { type Route, route } from '../engine/route.ts';
import type { Facts } from '../openapi/document.ts';

// The document and the pages are imported on the first request, which shortens the startup.

/** The document's bytes, made once. */
const OpenApiDocument = Type.Unsafe<Buffer>({
  type: 'object',
  description: 'An OpenAPI 3.1 document.',
  required: ['openapi', 'info', 'paths', 'webhooks', 'components'],
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
const page = { ...get, media: 'text/html; charset=utf-8', answers: { 200: Page } } as const;
const pages = () => import('../docs/pages.ts');

/** The routes and those that document them all, themselves included. */
export const documented = (routes: readonly Route[], facts: Facts): readonly Route[] => {
  const document = once(async () => {
    const { documentOf } = await import('../openapi/document.ts');
    return documentOf(
      all.map(({ endpoint }) => endpoint),
      facts,
    );
  });
  const json = once(async () => Buffer.from(JSON.stringify(await document())));
  const html = once(async () => (await pages()).docsPage(await document()));
  const all: readonly Route[] = [
    ...routes,
    route({
      ...page,
      name: 'getIndex',
      summary: 'Links to the documentation and the health checks',
      path: '/',
    })({
      run: async () => ({ status: 200, ...(await pages()).indexPage(facts.version) }),
    }),
    route({
      ...get,
      name: 'getOpenApi',
      summary: 'This document, as OpenAPI 3.1',
      path: '/openapi.json',
      answers: { 200: OpenApiDocument },
    })({ run: async () => ({ status: 200, body: await json() }) }),
    route({ ...page, name: 'getDocs', summary: 'This document, as a page', path: '/docs' })({
      run: async () => ({ status: 200, ...(await html()) }),
    }),
    problem,
  ];
  return all;
};

const problem = route({
  ...page,
  name: 'getProblem',
  summary: 'The meaning of a problem code, and what to do',
  path: '/problems/{code}',
  parameters: { code: problemCode },
})({
  find: async ({ parameters }) => (isCode(parameters.code) ? parameters.code : null),
  run: async ({ found }) => ({ status: 200, ...(await pages()).problemPage(found) }),
});

const isCode = (text: string): text is ProblemCode => Object.hasOwn(problemTypes, text);
