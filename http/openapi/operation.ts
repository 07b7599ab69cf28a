import { exampleOf } from '../../schemas/examples.ts';
import type { Parameter } from '../../schemas/parameters.ts';
import { needsKey, problemsByStatus } from '../engine/problems/endpointProblems.ts';
import type { ProblemCode } from '../engine/problems/problemTypes.ts';
import { isIdempotent } from '../engine/request/idempotency.ts';
import type { Access, Endpoint } from '../engine/route.ts';
import { type HeaderKey, headersOf, rateHeaders } from './headers.ts';
import { sentence } from './sentence.ts';
import { tagOf } from './tags.ts';
import type {
  AnswerShown,
  Json,
  Operation,
  ParameterShown,
  Refer,
  Reference,
  RequestBodyShown,
} from './types.ts';

/** What an operation is made with: how it refers to schemas, and to the answers of refusals. */
export type Making = Readonly<{
  refer: Refer;
  problemAnswer(status: number, codes: readonly ProblemCode[], more: readonly HeaderKey[]): Reference;
}>;

/** An endpoint as an operation of the document. */
export const operationOf = (endpoint: Endpoint, making: Making): Operation => ({
  operationId: endpoint.name,
  summary: endpoint.summary,
  ...(endpoint.description ? { description: endpoint.description } : {}),
  tags: [tagOf(endpoint.path)],
  security: security[endpoint.access],
  parameters: parametersOf(endpoint, making.refer),
  ...(endpoint.body ? { requestBody: requestBodyOf(endpoint.body, making.refer) } : {}),
  responses: answersOf(endpoint, making),
});

const security: Readonly<Record<Access, Operation['security']>> = {
  company: [{ apiKey: [] }],
  anyKey: [{ apiKey: [] }],
  session: [{ sessionToken: [] }],
  superAdmin: [{ sessionToken: [] }],
  operator: [{ metricsToken: [] }, {}],
  none: [],
};

const parametersOf = (endpoint: Endpoint, refer: Refer): Operation['parameters'] => {
  const { parameters = {}, query = {}, conditional } = endpoint;
  return [
    ...Object.entries(parameters).map(([name, parameter]) => shown(name, 'path', parameter, refer)),
    ...Object.entries(query).map(([name, parameter]) => shown(name, 'query', parameter, refer)),
    { $ref: '#/components/parameters/X-Request-Id' },
    ...(isIdempotent(endpoint) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...(conditional ? [{ $ref: '#/components/parameters/If-Match' }] : []),
  ];
};

const shown = (
  name: string,
  place: 'path' | 'query',
  { schema, description }: Parameter<unknown>,
  refer: Refer,
): ParameterShown => ({
  name,
  in: place,
  required: place === 'path',
  description: sentence(description),
  schema: refer(schema),
});

const requestBodyOf = (schema: object, refer: Refer): RequestBodyShown => ({
  required: ((schema as Readonly<{ required?: readonly string[] }>).required ?? []).length > 0,
  content: { 'application/json': { schema: refer(schema), example: exampleOf(schema) } },
});

const answersOf = (endpoint: Endpoint, { refer, problemAnswer }: Making): Operation['responses'] => {
  const given = Object.entries(endpoint.answers).map(([status, schema]) => [
    status,
    {
      description: endpoint.method === 'GET' ? 'What was asked for.' : (done[status] ?? 'It is done.'),
      headers: headersOf(headersOn(endpoint)),
      ...contentOf(endpoint, schema, refer),
    },
  ]);
  const refused = [...problemsByStatus(endpoint)].map(([status, codes]) => [
    status,
    problemAnswer(status, codes, replayHeaders(endpoint)),
  ]);
  return Object.fromEntries([...given, ...refused]);
};

const headersOn = (endpoint: Endpoint): readonly HeaderKey[] => [
  'X-Request-Id',
  ...(endpoint.headers ?? []),
  ...(needsKey(endpoint) ? rateHeaders : []),
  ...replayHeaders(endpoint),
];

const replayHeaders = (endpoint: Endpoint): readonly HeaderKey[] =>
  isIdempotent(endpoint) ? ['Idempotency-Replayed'] : [];

const contentOf = (
  { media = 'application/json' }: Endpoint,
  schema: object,
  refer: Refer,
): Pick<AnswerShown, 'content'> => {
  if ((schema as Json).type === 'null') return {};
  const example = media === 'application/json' ? { example: exampleOf(schema) } : {};
  return { content: { [media.split(';')[0] as string]: { schema: refer(schema), ...example } } };
};

const done: Readonly<Record<string, string>> = {
  201: 'It was made.',
  202: 'It was accepted and will be done.',
  204: 'It is done; there is no body.',
};
