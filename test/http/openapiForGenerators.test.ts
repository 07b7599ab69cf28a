import * as assert from 'uvu/assert';
import { webhookEventTypes } from '../../domain/webhookEvents.ts';
import { suite } from '../harness.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the OpenAPI document, for generators of clients');
type Node = Readonly<Record<string, unknown>>;
let service: TestService;
let document: Node;
test.before(async () => {
  service = await startService();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Node;
});
test.after(() => service.close());

/** The parts of the document that are no examples, each with its place. */
const parts = (node: unknown, at = ''): readonly (readonly [at: string, part: Node])[] => {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).filter(([name]) => !/^examples?$/.test(name));
  return [[at, node as Node] as const, ...inner.flatMap(([name, child]) => parts(child, `${at}/${name}`))];
};

const isNamed = (at: string): boolean => /^\/components\/schemas\/[^/]+$/.test(at);

test('bodies and answers are built of named schemas: objects, and choices that more than one place has [document-1]', () => {
  const inPlace = parts(document).filter(([at, { type, properties }]) => {
    const isObject = type === 'object' && typeof properties === 'object';
    return isObject && !isNamed(at);
  });
  assert.equal(
    inPlace.map(([at]) => at),
    [],
  );
  const choices = parts(document).filter(
    ([at, part]) => Array.isArray(part.enum) && !isNamed(at) && !/\/(parameters|oneOf)\//.test(at),
  );
  assert.equal(
    choices.map(([at]) => at),
    [],
  );
});

test('no schema has more than one type but for null, and none is a part of another [document-1]', () => {
  const refused = parts(document).filter(([at, { type, allOf }]) => {
    const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [];
    return (
      allOf !== undefined ||
      (types.length > 1 && types.includes('object')) ||
      (type === 'null' && /\/properties\/[^/]+$/.test(at))
    );
  });
  assert.equal(
    refused.map(([at]) => at),
    [],
  );
});

test('no schema has the name of the request of an operation, or of the maker of another schema [document-1]', () => {
  const { schemas } = document.components as Readonly<{ schemas: Node }>;
  const operations = parts(document.paths).flatMap(([, { operationId }]) =>
    typeof operationId === 'string' ? [operationId.toLowerCase()] : [],
  );
  assert.ok(operations.length > 50, `${operations.length}`);
  const clashing = Object.keys(schemas).filter((name) =>
    operations.some((operation) => name.toLowerCase() === `${operation}request`),
  );
  assert.equal(clashing, []);
  const makers = Object.keys(schemas).filter(
    (name) => schemas[name.replace(/^New/, '')] && /^New/.test(name),
  );
  assert.equal(makers, []);
});

test('no schema has a member of its own name and of another schema: its maker would have two variables of it [document-1]', () => {
  const { schemas } = document.components as Readonly<{ schemas: Readonly<Record<string, Node>> }>;
  const snake = (name: string) => name.replace(/(?<=[a-z0-9])([A-Z])/g, '_$1').toLowerCase();
  const clashing = Object.entries(schemas).filter(([name, { properties }]) =>
    Object.entries(properties ?? {}).some(
      ([member, { type }]) => snake(member) === snake(name) && typeof type !== 'string',
    ),
  );
  assert.equal(
    clashing.map(([name]) => name),
    [],
  );
});

test('no number is a constant, whose type a client would have to guess [document-1]', () => {
  const constants = parts(document).filter(([, part]) => typeof part.const === 'number');
  assert.equal(
    constants.map(([at]) => at),
    [],
  );
});

test('a number has its size: 64 bits where 32 are not enough [document-1]', () => {
  const sizes = parts(document).flatMap(([, { type, format, maximum }]) => {
    const [first] = [type].flat();
    if (first === 'number') return [format];
    if (first !== 'integer') return [];
    return [`${format} ${maximum !== undefined && Number(maximum) < 2 ** 31}`];
  });
  assert.equal([...new Set(sizes)].sort(), ['double', 'int32 true', 'int64 false']);
});

test('every operation has a description, and an example where its body or answer is JSON [document-2]', () => {
  const operations = parts({ paths: document.paths, webhooks: document.webhooks }).filter(
    ([, { operationId }]) => typeof operationId === 'string',
  );
  assert.ok(operations.length > 100, `${operations.length}`);
  for (const [at, { description }] of operations) assert.match(String(description ?? ''), /.{10}/, at);
  const contents = parts({ paths: document.paths, webhooks: document.webhooks }).filter(([at]) =>
    /\/content\/application\/json$/.test(at),
  );
  assert.ok(contents.length > 100, `${contents.length}`);
  for (const [at, { example }] of contents) assert.ok(example !== undefined, at);
});

test('an event is told by its `eventType`: each has a schema of its own [document-1]', () => {
  const { schemas } = document.components as Readonly<{ schemas: Readonly<Record<string, Node>> }>;
  const { oneOf, discriminator } = schemas.WebhookEvent as Readonly<{
    oneOf: readonly Readonly<{ $ref: string }>[];
    discriminator: Readonly<{ propertyName: string; mapping: Readonly<Record<string, string>> }>;
  }>;
  const { propertyName, mapping } = discriminator;
  assert.equal([propertyName, Object.keys(mapping)], ['eventType', [...webhookEventTypes]]);
  assert.equal(
    Object.values(mapping),
    oneOf.map(({ $ref }) => $ref),
  );
  for (const [type, reference] of Object.entries(mapping)) {
    const { properties } = schemas[reference.split('/').at(-1) ?? ''] as Readonly<{
      properties: Readonly<{ eventType: Readonly<{ const: string }> }>;
    }>;
    assert.is(properties.eventType.const, type);
  }
});
