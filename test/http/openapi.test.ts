import SwaggerParser from '@apidevtools/swagger-parser';
import * as assert from 'uvu/assert';
import { webhookEventTypes } from '../../domain/webhookEvents.ts';
import { isForKeys, problemsByStatus } from '../../http/engine/problems/endpointProblems.ts';
import { tags } from '../../http/openapi/tags.ts';
import { type Core, wireCore } from '../../runtime/wire.ts';
import { suite } from '../harness.ts';
import { validator } from '../support/conformance.ts';
import { examplesIn } from '../support/examplesIn.ts';
import { routeTable } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the OpenAPI document');
let service: TestService;
let core: Core;
// biome-ignore lint/suspicious/noExplicitAny: the document is looked into as JSON; the parser judges its shape
let document: any;
test.before(async () => {
  service = await startService({ METRICS_TOKEN: 'openapi-metrics-token' });
  core = await wireCore(service.config);
  document = await (await fetch(`${service.url}/openapi.json`)).json();
});
test.after(async () => {
  await core.close();
  await service.close();
});

type Shown = Readonly<{ method: string; path: string; operation: Operation }>;
type Operation = Readonly<{
  operationId: string;
  tags: readonly string[];
  security: readonly object[];
  requestBody?: Readonly<{ content: Readonly<{ 'application/json': Readonly<{ schema: Shape }> }> }>;
  responses: Readonly<Record<string, Readonly<{ $ref?: string }>>>;
}>;

const operations = (): readonly Shown[] =>
  Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

const endpoints = () => routeTable(service.config, core).map(({ endpoint }) => endpoint);

test('is a valid OpenAPI 3.1 document [pages-1]', async () => {
  assert.match(document.openapi, /^3\.1\./);
  await SwaggerParser.validate(structuredClone(document));
});

test('names every route of the service, and no other [pages-1]', () => {
  const served = endpoints().map(({ method, path, name }) => `${method} ${path} ${name}`);
  const shown = operations().map(
    ({ method, path, operation }) => `${method} ${path} ${operation.operationId}`,
  );
  assert.ok(served.length > 10);
  assert.equal([...shown].sort(), [...served].sort());
});

test('what takes an API key begins with the version, the rest of the API is for people [overview-2]', () => {
  const api = endpoints().filter(({ path }) => path.startsWith('/api/'));
  for (const endpoint of endpoints()) if (isForKeys(endpoint)) assert.match(endpoint.path, /^\/api\/v1\//);
  for (const { path } of api) assert.match(path, /^\/api\/(v1|invitation|auth|internal)\//);
  assert.ok(api.length > 10);
});

test('no request of a key names a company, only people do in a header: a key acts for its own [visibility-5]', () => {
  const ofKeys = operations().filter(({ operation }) =>
    JSON.stringify(operation.security).includes('apiKey'),
  );
  assert.ok(ofKeys.length > 10);
  for (const { path, operation } of ofKeys) {
    const { parameters = [], requestBody = {} } = operation as {
      parameters?: unknown;
      requestBody?: unknown;
    };
    const text = JSON.stringify([parameters, requestBody]).replace('parameters/Intake-Company', '');
    assert.not.match(text, /compan/i, path);
  }
});

test('every operation is served, and those that say so need a key', async () => {
  for (const { method, path, operation } of operations()) {
    const answer = await fetch(service.url + path.replaceAll(/\{\w+\}/g, 'x'), { method });
    await answer.arrayBuffer();
    assert.is.not(answer.status, 405, `${method} ${path}`);
    assert.is(answer.status === 401, operation.security.length > 0, `${method} ${path}: ${answer.status}`);
  }
});

test('names every problem of every operation, by status [problems-13]', () => {
  for (const endpoint of endpoints()) {
    const { responses } = document.paths[endpoint.path][endpoint.method.toLowerCase()] as Operation;
    const shown = Object.entries(responses).flatMap(([status, { $ref }]) =>
      $ref ? [[Number(status), codesOf($ref)] as const] : [],
    );
    assert.equal(new Map(shown), problemsByStatus(endpoint), endpoint.name);
  }
});

const codesOf = (reference: string): readonly string[] => {
  const response = document.components.responses[reference.split('/').at(-1) ?? ''];
  return Object.keys(response.content['application/problem+json'].examples);
};

test('says of every optional member of a body that it may be null, and empty where it is text [requests-12]', () => {
  const faults = validator(document);
  let seen = 0;
  for (const { operation } of operations()) {
    const { $ref } = operation.requestBody?.content['application/json'].schema ?? {};
    if (!$ref) continue;
    for (const [at, member] of optionalIn($ref.slice(2))) {
      seen += 1;
      assert.equal(faults(at, null), [], at);
      if ([member.type].flat().includes('string')) assert.equal(faults(at, ''), [], at);
    }
  }
  assert.ok(seen > 15, `${seen}`);
});

test('each list has `data` and `pagination` [paging-1]', () => {
  const lists = operations().flatMap(({ method, path, operation }) => {
    const { properties = {} } = answerOf(operation);
    return method === 'GET' && properties.data?.type === 'array' ? [{ path, properties }] : [];
  });
  assert.ok(lists.length > 15, `${lists.length}`);
  assert.equal(
    lists.flatMap(({ path, properties }) => ('pagination' in properties ? [] : [path])),
    [],
  );
});

const answerOf = ({ responses }: Operation): Shape => {
  const schema = (responses[200] as Answer | undefined)?.content?.['application/json']?.schema ?? {};
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
};

type Answer = Readonly<{ content?: Readonly<Record<string, Readonly<{ schema: Shape }>>> }>;

type Shape = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
}>;

/** The optional members of the schema at a pointer, and of those within it, by their pointers. */
const optionalIn = (at: string): readonly (readonly [string, Shape])[] => {
  const schema = at.split('/').reduce((node, name) => node[name], document) as Shape;
  if (schema.$ref) return optionalIn(schema.$ref.slice(2));
  const { properties = {}, required = [], items } = schema;
  const members = Object.keys(properties).map((name) => `${at}/properties/${name}`);
  const own = Object.entries(properties).filter(([name]) => !required.includes(name));
  return [
    ...own.map(([name, member]) => [`${at}/properties/${name}`, member] as const),
    ...[...members, ...(items ? [`${at}/items`] : [])].flatMap(optionalIn),
  ];
};

test('every example is a value of its schema [document-2]', () => {
  const found = examplesIn(document);
  assert.ok(found.length > 60, `${found.length}`);
  assert.equal(
    found.flatMap(({ at, faults }) => (faults.length > 0 ? [{ at, faults }] : [])),
    [],
  );
});

test('has a webhook for every event type, and for the tests', () => {
  assert.equal(Object.keys(document.webhooks), [...webhookEventTypes, 'webhook.test', 'endpoint.test']);
});

test('every schema that it names is used, and every operation stands in a chapter', () => {
  const text = JSON.stringify(document);
  for (const name of Object.keys(document.components.schemas))
    assert.ok(text.includes(`"#/components/schemas/${name}"`), name);
  const chapters = new Set<string>(tags.map(({ name }) => name));
  for (const { operation } of operations()) assert.ok(chapters.has(operation.tags[0] ?? ''));
});

test('names the address of the service where PUBLIC_URL gives one, else none', async () => {
  assert.equal(document.servers, [{ url: '/' }]);
  const config = { ...service.config, publicUrl: 'https://intake.example.com' };
  const routes = routeTable(config, core);
  const route = routes.find(({ endpoint }) => endpoint.name === 'getOpenApi');
  const { body } = (await route?.handling.run({})) ?? {};
  assert.equal(JSON.parse(String(body)).servers, [{ url: 'https://intake.example.com' }]);
});
