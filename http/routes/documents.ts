import { OpenApiDocument, Page } from '../../schemas/openapi.ts';
import { problemCode } from '../../schemas/parameters.ts';
import { pageHeaders } from '../docs/layout.ts';
import { docsPage } from '../docs/page.ts';
import { problemPage } from '../docs/problemPage.ts';
import { documentOf, type Facts } from '../openapi/document.ts';
import type { OpenApi } from '../openapi/types.ts';
import { type Code, problems } from '../problems.ts';
import { type Route, route } from '../route.ts';

/** The routes, and with them those that document them all, themselves included. */
export const documented = (routes: readonly Route[], facts: Facts): readonly Route[] => {
  const document = once(() =>
    documentOf(
      all.map(({ endpoint }) => endpoint),
      facts,
    ),
  );
  const all: readonly Route[] = [...routes, openapi(document), docs(document), problem];
  return all;
};

/** Made when it is first asked for, then kept: the start does without it. */
const once = <T>(make: () => T): (() => T) => {
  let made: Readonly<{ value: T }> | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const HTML = 'text/html; charset=utf-8';

const openapi = (document: () => OpenApi): Route => {
  const bytes = once(() => Buffer.from(JSON.stringify(document())));
  return route({
    name: 'getOpenApi',
    summary: 'This document, as OpenAPI 3.1',
    method: 'GET',
    path: '/openapi.json',
    access: 'none',
    answers: { 200: OpenApiDocument },
  })({ run: async () => ({ status: 200, body: bytes() }) });
};

const docs = (document: () => OpenApi): Route => {
  const page = once(() => docsPage(document()));
  return route({
    name: 'getDocs',
    summary: 'This document, to read',
    method: 'GET',
    path: '/docs',
    access: 'none',
    media: HTML,
    answers: { 200: Page },
  })({ run: async () => ({ status: 200, headers: pageHeaders, body: page() }) });
};

const problem = route({
  name: 'getProblem',
  summary: 'What a kind of problem means, and what to do',
  method: 'GET',
  path: '/problems/{code}',
  access: 'none',
  parameters: { code: problemCode },
  media: HTML,
  answers: { 200: Page },
})({
  find: async ({ parameters }) => (isCode(parameters.code) ? parameters.code : null),
  run: async ({ found }) => ({ status: 200, headers: pageHeaders, body: problemPage(found) }),
});

const isCode = (text: string): text is Code => Object.hasOwn(problems, text);
