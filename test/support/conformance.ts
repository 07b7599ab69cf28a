import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { OpenApi, ParameterObject, Reference, ResponseObject } from '../../http/openapi/types.ts';
import { condemn } from '../harness.ts';
import { type Answer, exchange } from './exchange.ts';

type Asked = Readonly<{ method: string; path: string }>;
type Answered = Readonly<{ status: number; headers: Headers; text: string }>;
type Delivered = Readonly<{ headers: Readonly<Record<string, unknown>>; body: Buffer }>;

/** What the document says, as checks that name every fault; an empty list means that it is kept. */
export type Conformance = Readonly<{
  answer(asked: Asked, answered: Answered): readonly string[];
  webhook(delivered: Delivered): readonly string[];
}>;

/** Headers that a client acts upon: an answer carries none that is not documented there. */
const TELLING = [
  'Location',
  'Retry-After',
  'ETag',
  'WWW-Authenticate',
  'Idempotency-Replayed',
  'Set-Cookie',
  'RateLimit',
  'RateLimit-Policy',
];

const PROBLEM = 'application/problem+json';

/** A problem has the status of its answer, and a code that the document has an example of there. */
const problemFaults = (status: number, examples: object = {}, problem: unknown): readonly string[] => {
  const given = problem as Readonly<{ status?: unknown; code?: unknown }>;
  return [
    ...(given.status === status ? [] : [`/status is ${given.status} in an answer of ${status}`]),
    ...(String(given.code) in examples ? [] : [`/code ${given.code} is not documented for ${status}`]),
  ];
};

/** Reads the document once; each schema is compiled when it is first met. */
export const conformanceTo = (document: OpenApi): Conformance => {
  const validate = validator(document);
  const templates = Object.keys(document.paths).map((template) => ({ template, fits: patternOf(template) }));
  const templateOf = (path: string): string | undefined =>
    templates.find(({ template }) => template === path)?.template ??
    templates.find(({ fits }) => fits.test(path))?.template;
  const resolve = <T extends object>(
    value: T | Reference,
    at: string,
  ): Readonly<{ value: T; at: string }> => {
    if (!('$ref' in value)) return { value, at };
    const [, , kind = '', name = ''] = value.$ref.split('/');
    const components = document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    return { value: components[kind]?.[name] as T, at: pointer('components', kind, name) };
  };

  const answer = ({ method, path }: Asked, answered: Answered): readonly string[] => {
    const { pathname } = new URL(path, 'http://service');
    const template = templateOf(pathname);
    const operations = template === undefined ? undefined : document.paths[template];
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = operations?.[verb];
    if (!operation) return unrouted(operations !== undefined, method, answered);
    const documented = operation.responses[answered.status];
    if (!documented) return [`the status ${answered.status} is not documented`];
    const here = pointer('paths', template ?? '', verb, 'responses', String(answered.status));
    const { value, at } = resolve<ResponseObject>(documented, here);
    return [
      ...headerFaults(value, answered.headers),
      ...(method === 'HEAD' ? [] : body(value, at, answered)),
    ];
  };

  const headerFaults = ({ headers = {} }: ResponseObject, given: Headers): readonly string[] => [
    ...Object.entries(headers).flatMap(([name, reference]) => {
      const { value } = resolve<Readonly<{ required?: boolean }>>(reference, '');
      return value.required && !given.has(name) ? [`the header ${name} is documented, and is not there`] : [];
    }),
    ...TELLING.filter((name) => given.has(name) && !(name in headers)).map(
      (name) => `the header ${name} is there, and is not documented`,
    ),
  ];

  const body = (
    { content = {} }: ResponseObject,
    at: string,
    { status, headers, text }: Answered,
  ): readonly string[] => {
    const media = headers.get('content-type')?.split(';')[0] ?? '';
    if (Object.keys(content).length === 0)
      return text === '' ? [] : ['a body is there, and is not documented'];
    if (!(media in content)) return [`the media type ${media} is not documented`];
    if (!/json/.test(media)) return [];
    const parsed: unknown = JSON.parse(text);
    const faults = validate(`${at}/${pointer('content', media, 'schema')}`, parsed);
    return media === PROBLEM
      ? [...faults, ...problemFaults(status, content[media]?.examples, parsed)]
      : faults;
  };

  /** Neither another method nor the preflight of a page is an operation. */
  const unrouted = (
    known: boolean,
    method: string,
    { status, headers, text }: Answered,
  ): readonly string[] => {
    const preflight = known && method === 'OPTIONS';
    if (preflight && status === 204 && headers.has('access-control-allow-methods')) return [];
    if (known && status === 405 && !headers.has('allow')) return ['a 405 without Allow'];
    if (status === (known ? 405 : 404) || (preflight && status === 403))
      return validate('components/schemas/Problem', JSON.parse(text || 'null'));
    return ['no such operation is documented'];
  };

  const webhook = ({ headers, body: bytes }: Delivered): readonly string[] => {
    const text = bytes.toString();
    const event = headers['x-webhook-event'];
    const type = event === 'webhook.test' ? 'endpoint.test' : String(event ?? JSON.parse(text).type);
    const documented = document.webhooks[type]?.post;
    if (!documented) return [`the webhook ${type} is not documented`];
    const at = pointer('webhooks', type, 'post');
    return [
      ...documented.parameters.flatMap((parameter, index) => {
        const { value, at: place } = resolve<ParameterObject>(parameter, `${at}/parameters/${index}`);
        return validate(`${place}/schema`, headers[value.name.toLowerCase()]);
      }),
      ...validate(`${at}/requestBody/content/application~1json/schema`, JSON.parse(text)),
    ];
  };

  return { answer, webhook };
};

export const pointer = (...parts: readonly string[]): string =>
  parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Holds a value to the schema at a pointer into the document. */
export const validator = (document: OpenApi) => {
  // Each schema is compiled once, not again wherever it is referred to.
  const compiling = { inlineRefs: false, code: { optimize: false } } as const;
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, ...compiling });
  ajvFormats.default(ajv);
  const { components } = document;
  const schemas = withoutMore(components.schemas);
  ajv.addSchema({ ...document, components: { ...components, schemas } }, 'openapi');
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (at: string, value: unknown): readonly string[] => {
    const fragment = at.split('/').map(encodeURIComponent).join('/');
    const check = compiled.get(at) ?? ajv.compile({ $ref: `openapi#/${fragment}` });
    compiled.set(at, check);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    );
  };
};

/**
 * Clients are told to ignore members that they don't know; here the document must name every one that is
 * answered.
 */
const withoutMore = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutMore);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, withoutMore(value)]));
  const open = members.type === 'object' && members.properties && members.additionalProperties === undefined;
  return open ? { ...members, additionalProperties: false } : members;
};

let loading: Promise<Conformance> | null = null;

/**
 * The document that the service at `url` serves; every service in a process serves the same, so it is read
 * once.
 */
export const servedConformance = (url: string): Promise<Conformance> => {
  loading ??= load(url).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
};

const load = async (url: string): Promise<Conformance> => {
  const answer = await fetch(`${url}/openapi.json`);
  return conformanceTo((await answer.json()) as OpenApi);
};

/** With these a body is refused even if it is empty. */
const BODILESS = [204, 205, 304];

/** Asks the service at `url`, and holds its answer to the document that it serves. */
export const askWhole = async (
  url: string,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<Answer> => {
  const conformance = await servedConformance(url);
  const answer = await exchange(`${url}${path}`, { ...init, method });
  insist(`${method} ${path}`, conformance.answer({ method, path }, answer));
  return answer;
};

/** The same; gives the answer as `fetch` does, its body unread. */
export const ask = async (...asked: Parameters<typeof askWhole>): Promise<Response> => {
  const { status, headers, bytes } = await askWhole(...asked);
  return new Response(BODILESS.includes(status) ? null : bytes, { status, headers });
};

/** Fails the test file when there are faults, also where nobody would notice. */
export const condemnFaults = (what: string, faults: readonly string[]): void => {
  if (faults.length > 0) condemn(disagreement(what, faults));
};

/** The same, and ends the test at once. */
const insist = (what: string, faults: readonly string[]): void => {
  condemnFaults(what, faults);
  if (faults.length > 0) throw disagreement(what, faults);
};

const disagreement = (what: string, faults: readonly string[]): Error =>
  new Error(`${what} is not as the OpenAPI document says:\n  ${faults.join('\n  ')}`);
