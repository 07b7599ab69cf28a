import { OpenApiDocument } from '../../schemas/openapi.ts';
import { documentOf, type Facts } from '../openapi/document.ts';
import { type Route, route } from '../route.ts';

/** The routes, and with them those that document them all, themselves included: GET /openapi.json. */
export const documented = (routes: readonly Route[], facts: Facts): readonly Route[] => {
  const all: readonly Route[] = [...routes, openapi(() => bytes())];
  const bytes = once(() =>
    Buffer.from(
      JSON.stringify(
        documentOf(
          all.map(({ endpoint }) => endpoint),
          facts,
        ),
      ),
    ),
  );
  return all;
};

/** Made at the first request, then kept: the start does without it. */
const once = <T>(make: () => T): (() => T) => {
  let made: Readonly<{ value: T }> | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const openapi = (bytes: () => Buffer): Route =>
  route({
    name: 'getOpenApi',
    summary: 'This document, as OpenAPI 3.1',
    method: 'GET',
    path: '/openapi.json',
    access: 'none',
    answers: { 200: OpenApiDocument },
  })({ run: async () => ({ status: 200, body: bytes() }) });
