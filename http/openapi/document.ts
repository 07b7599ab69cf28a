import { SESSION_COOKIE } from '../engine/access/cookies.ts';
import type { Endpoint } from '../engine/route.ts';
import { createComponents } from './components.ts';
import { headers, requestHeaders } from './headers.ts';
import { operationOf } from './operation.ts';
import { createProblemAnswers } from './problemAnswers.ts';
import { introduction } from './prose.ts';
import { tags } from './tags.ts';
import type { OpenApi, Operation } from './types.ts';
import { webhooksOf } from './webhooks.ts';

/** `publicUrl` is null where the service's public address is not set. */
export type Facts = Readonly<{ version: string; publicUrl: string | null }>;

/** The OpenAPI 3.1 document of these endpoints. */
export const documentOf = (endpoints: readonly Endpoint[], { version, publicUrl }: Facts): OpenApi => {
  const components = createComponents();
  const problemAnswers = createProblemAnswers(components.refer);
  const operationComponents = { refer: components.refer, problemAnswer: problemAnswers.answer };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const operation = { [endpoint.method.toLowerCase()]: operationOf(endpoint, operationComponents) };
    paths[endpoint.path] = { ...paths[endpoint.path], ...operation };
  }
  const webhooks = webhooksOf(components.refer);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Intake',
      summary: 'Workflow submissions and their review',
      description: introduction,
      version,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl ?? '/' }],
    tags: [
      ...tags.map(({ name, description, guide }) => ({
        name,
        description,
        externalDocs: {
          description: `The guide to ${name.toLowerCase()}`,
          url: `${publicUrl === null ? '' : `${publicUrl}/`}docs/guides/${guide}`,
        },
      })),
      {
        name: 'Webhooks',
        description: 'The requests that this service sends to the `webhookUrl` of a session.',
      },
    ],
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters: requestHeaders,
      headers,
      responses: problemAnswers.answers(),
      schemas: components.schemas(),
    },
  };
};

const securitySchemes: OpenApi['components']['securitySchemes'] = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'aok_<64 lowercase hex characters>',
    description: 'An API key, printed once by `intake key create`.',
  },
  sessionToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'ast_<43 characters of base64url>',
    description: 'The session token of a person, from `POST /api/auth/sessions`.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'The session of a page, from `POST /api/auth/sessions` with `cookie`. Changes also need its CSRF token in the header `X-CSRF-Token`.',
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'METRICS_TOKEN. Where it is not set, requests from the same machine need no token.',
  },
};
