import { exampleOf } from '../../schemas/examples.ts';
import type { Parameter } from '../../schemas/parameters.ts';
import { isForKeys, isForPeople, problemsByStatus } from '../engine/problems/endpointProblems.ts';
import type { ProblemCode } from '../engine/problems/problemTypes.ts';
import { isIdempotent } from '../engine/request/idempotency.ts';
import type { Endpoint } from '../engine/route.ts';
import { type HeaderKey, headersOf, rateHeaders } from './headers.ts';
import { tagOf } from './tags.ts';
import type {
  Json,
  Operation,
  ParameterObject,
  Refer,
  Reference,
  RequestBodyObject,
  ResponseObject,
} from './types.ts';

/** References to schemas, and to the responses of problems. */
type Components = Readonly<{
  refer: Refer;
  problemAnswer(status: number, codes: readonly ProblemCode[], more: readonly HeaderKey[]): Reference;
}>;

/** An endpoint as an operation of the document. */
export const operationOf = (endpoint: Endpoint, components: Components): Operation => ({
  operationId: endpoint.name,
  summary: endpoint.summary,
  ...(endpoint.description ? { description: endpoint.description } : {}),
  tags: [tagOf(endpoint.path)],
  security: securityOf(endpoint),
  parameters: parametersOf(endpoint, components.refer),
  ...(endpoint.body ? { requestBody: requestBodyOf(endpoint.body, components.refer) } : {}),
  responses: responsesOf(endpoint, components),
});

const securityOf = (endpoint: Endpoint): Operation['security'] =>
  endpoint.access === 'operator'
    ? [{ metricsToken: [] }, {}]
    : [
        ...(isForKeys(endpoint) ? [{ apiKey: [] }] : []),
        ...(isForPeople(endpoint) ? [{ sessionToken: [] }, { sessionCookie: [] }] : []),
      ];

const parametersOf = (endpoint: Endpoint, refer: Refer): Operation['parameters'] => {
  const { parameters = {}, query = {}, conditional } = endpoint;
  return [
    ...Object.entries(parameters).map(([name, parameter]) => parameterOf(name, 'path', parameter, refer)),
    ...Object.entries(query).map(([name, parameter]) => parameterOf(name, 'query', parameter, refer)),
    { $ref: '#/components/parameters/X-Request-Id' },
    ...(isIdempotent(endpoint) ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...(isRevalidated(endpoint) ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ...(conditional ? [{ $ref: '#/components/parameters/If-Match' }] : []),
    ...(isForPeople(endpoint) ? ofPeople(endpoint) : []),
  ];
};

/** What a person says beside the credential (people-4, people-5, people-3). */
const ofPeople = ({ method }: Endpoint): readonly Reference[] =>
  ['Intake-Company', 'Intake-Mode', ...(method === 'GET' ? [] : ['X-CSRF-Token'])].map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }));

const parameterOf = (
  name: string,
  place: 'path' | 'query',
  { schema, description }: Parameter<unknown>,
  refer: Refer,
): ParameterObject => ({
  name,
  in: place,
  required: place === 'path',
  description: sentence(description),
  schema: refer(schema),
});

/** A description as a sentence: with a capital and, unless it ends in `!` or `?`, a full stop. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

const requestBodyOf = (schema: object, refer: Refer): RequestBodyObject => ({
  required: ((schema as Readonly<{ required?: readonly string[] }>).required ?? []).length > 0,
  content: { 'application/json': { schema: refer(schema), example: exampleOf(schema) } },
});

const responsesOf = (endpoint: Endpoint, { refer, problemAnswer }: Components): Operation['responses'] => {
  const answers = Object.entries(endpoint.answers).map(([status, schema]) => [
    status,
    {
      description: descriptions[status] ?? 'Success.',
      headers: headersOf(headersOn(endpoint)),
      ...contentOf(endpoint, schema, refer),
    },
  ]);
  const unchanged = { description: descriptions[304], headers: headersOf(headersOn(endpoint)) };
  const problems = [...problemsByStatus(endpoint)].map(([status, codes]) => [
    status,
    problemAnswer(status, codes, replayHeaders(endpoint)),
  ]);
  return Object.fromEntries([
    ...answers,
    ...(isRevalidated(endpoint) ? [['304', unchanged]] : []),
    ...problems,
  ]);
};

/** Whether a client can ask for what has changed since its last answer (conditions-3). */
const isRevalidated = ({ method, headers = [] }: Endpoint): boolean =>
  method === 'GET' && headers.includes('ETag');

const headersOn = (endpoint: Endpoint): readonly HeaderKey[] => [
  'X-Request-Id',
  ...(endpoint.headers ?? []),
  ...(isForKeys(endpoint) || isForPeople(endpoint) ? rateHeaders : []),
  ...replayHeaders(endpoint),
];

const replayHeaders = (endpoint: Endpoint): readonly HeaderKey[] =>
  isIdempotent(endpoint) ? ['Idempotency-Replayed'] : [];

const contentOf = (
  { media = 'application/json' }: Endpoint,
  schema: object,
  refer: Refer,
): Pick<ResponseObject, 'content'> => {
  if ((schema as Json).type === 'null') return {};
  const contents = [media].flat().map((one) => {
    const example = one === 'application/json' ? { example: exampleOf(schema) } : {};
    const { format: _, ...text } = schema as Json;
    const form = one.startsWith('text/') ? text : schema;
    return [one.split(';')[0] as string, { schema: refer(form), ...example }] as const;
  });
  return { content: Object.fromEntries(contents) };
};

const descriptions: Readonly<Record<string, string>> = {
  201: 'Created.',
  202: 'Accepted; the work is done later.',
  204: 'Done; the answer has no body.',
  304: 'Not modified: `If-None-Match` names the current `ETag`. The answer has no body.',
};
