import * as assert from 'uvu/assert';
import type { Recorded } from '../../kernel/event.ts';
import type { Upcaster } from '../../kernel/eventDefinition.ts';
import { closed, privatePart, Type } from '../../kernel/schema.ts';
import { createCatalogue } from '../../schemas/events.ts';
import { cataloguedLog } from '../../stores/events/catalogued.ts';
import { hashOf } from '../../stores/events/hash.ts';
import { collect } from '../contract/events/controls.ts';
import { checkedReads } from '../controls/catalogue.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('events as a release knows them');

const Text = Type.String();
const schemas = [
  closed({ a: Text }),
  closed({ b: Text, private: privatePart({ secret: Text }) }),
  closed({ b: Text, length: Type.Integer(), private: privatePart({ secret: Text, hidden: Text }) }),
];
let opened = 0;
const steps: readonly Upcaster[] = [
  { open: ({ a }) => ({ b: a }), sealed: () => ({ secret: 'none' }) },
  {
    open: (data) => ({ ...data, length: String(data.b).length }),
    sealed: (part, { b }) => {
      opened += 1;
      return { ...part, hidden: `${part.secret} of ${b}` };
    },
  },
];
/** The catalogue of a release that writes this version. */
const release = (version: number) => {
  const [data = closed({})] = schemas.slice(version - 1);
  const earlier = schemas.slice(0, version - 1).map((schema, n) => ({ data: schema, ...steps[n] }));
  return createCatalogue({ Done: { about: '', data, earlier } });
};
const first = release(1);
const second = release(2);
const third = release(3);

let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const reported: string[] = [];
const logOf = (catalogue: typeof first) =>
  cataloguedLog(stores.stored, {
    catalogue: async () => catalogue,
    onUnknown: ({ type, metadata }) => void reported.push(`${type}.v${metadata.schema}`),
  });

const actor = { kind: 'system', id: 'test' } as const;
const event = (data: object, type = 'Done') => ({
  type,
  data,
  id: stores.ids.event(),
  metadata: { at: '2026-11-22T10:00:00.000Z', $correlationId: 'c', $causationId: 'c', actor },
});
const write = async (catalogue: typeof first, stream: string, data: object, type?: string) => {
  const log = logOf(catalogue);
  const { head } = await log.load(stream);
  return log.append(stream, head, [event(data, type)], () => 'sub_1');
};
const dataOf = ({ events }: Readonly<{ events: readonly Recorded[] }>) =>
  JSON.parse(JSON.stringify(events.map(({ data }) => data)));

test('an event that breaks its schema is refused with pointers and without values, and nothing is stored', async () => {
  const good = event({ a: 'fine' });
  const bad = event({ a: 17, more: 'hunter2' });
  const error = await failure(logOf(first).append('thing-1', null, [good, bad], () => null));
  assert.is(error.name, 'InvalidEvent');
  assert.match(error.message, /Done for thing-1.*\/data\/a must be a string.*|\/data\/more is not a known/);
  assert.match(error.message, /\/data\/more is not a known member/);
  assert.not.match(error.message, /hunter2|17/);
  assert.is((await stores.stored.load('thing-1')).head, null);
});

test('so are metadata, private parts before they are sealed, and events that the release does not know', async () => {
  const { metadata, ...rest } = event({ a: 'x' });
  const stray = { ...rest, metadata: { ...metadata, at: 'yesterday', note: 1 } };
  const error = await failure(logOf(first).append('thing-1', null, [stray], () => null));
  assert.match(error.message, /\/metadata\/at .*\/metadata\/note|\/metadata\/note .*\/metadata\/at/);
  const part = event({ b: 'x', private: { secret: 1 } });
  assert.match(
    (await failure(logOf(second).append('thing-1', null, [part], () => 'sub_1'))).message,
    /\/data\/private\/secret must be a string/,
  );
  const unknown = event({}, 'Undone');
  assert.match(
    (await failure(logOf(first).append('thing-1', null, [unknown], () => null))).message,
    /Undone/,
  );
  const proto = event({}, 'constructor');
  assert.is((await failure(logOf(first).append('thing-1', null, [proto], () => null))).name, 'InvalidEvent');
});

test('metadata state the version that was written, and an event of an older one is upcast', async () => {
  await write(first, 'thing-2', { a: 'old' });
  await write(second, 'thing-2', { b: 'new', private: { secret: 's' } });
  const { events } = await stores.stored.load('thing-2');
  assert.equal(
    events.map(({ metadata }) => metadata.schema),
    [1, 2],
  );
  const read = await logOf(third).load('thing-2');
  assert.equal(dataOf(read), [
    { b: 'old', length: 3, private: { secret: 'none', hidden: 'none of old' } },
    { b: 'new', length: 3, private: { secret: 's', hidden: 's of new' } },
  ]);
  assert.equal(
    read.events.map(({ metadata }) => metadata.schema),
    [3, 3],
  );
  assert.equal(read.unknown, []);
});

test('the chain of hashes goes over what is stored, whatever it reads as', async () => {
  await write(first, 'thing-3', { a: 'old' });
  await write(third, 'thing-3', { b: 'x', length: 1, private: { secret: 's', hidden: 'h' } });
  const [one, two] = await collect(stores.events.read('thing-3'));
  if (!one) throw new Error('nothing was stored');
  assert.is(two?.metadata.prev, hashOf(one));
  const { head, events } = await logOf(third).load('thing-3');
  assert.is(events[1]?.metadata.prev, hashOf(one));
  assert.is(head?.hash, two && hashOf(two));
});

test('a private part is opened, and brought up to date, when it is first read', async () => {
  await write(second, 'thing-4', { b: 'x', private: { secret: 's' } });
  opened = 0;
  const [only] = (await logOf(third).load('thing-4')).events;
  const data = only?.data as { b: string; private: { hidden: string } } | undefined;
  assert.is(data?.b, 'x');
  assert.is(opened, 0);
  assert.is(data?.private.hidden, 's of x');
  assert.is(data?.private.hidden, 's of x');
  assert.is(opened, 1);
});

test('a part that does not open stops the reader of it alone; a redacted one stays redacted and is not upcast', async () => {
  await write(second, 'thing-5', { b: 'x', private: { secret: 's' } });
  const stored = await collect(stores.events.read('thing-5'));
  const forged = stored.map((one) => ({ ...one, id: stores.ids.event() }));
  await stores.events.append('thing-6', 'none', forged);
  const [broken] = (await logOf(third).load('thing-6')).events;
  const data = broken?.data as { b: string; private: unknown } | undefined;
  assert.is(data?.b, 'x');
  assert.throws(() => data?.private, /does not open/);
  const log = logOf(second);
  await log.append('thing-7', null, [event({ b: 'x', private: { secret: 's' } })], () => 'sub_gone');
  await stores.keys.destroy('sub_gone', DESTRUCTION);
  opened = 0;
  assert.equal(dataOf(await logOf(third).load('thing-7')), [
    { b: 'x', length: 1, private: { redacted: true } },
  ]);
  assert.is(opened, 0);
});

test('unknown types and newer versions are set apart; head, revisions and pages count them; each is reported once', async () => {
  await write(first, 'thing-8', { a: 'known' });
  const { head } = await stores.stored.load('thing-8');
  const newer = { ...event({ b: 'x' }), metadata: { ...event({}).metadata, schema: 2 } };
  const other = { ...event({}, 'Undone'), metadata: { ...newer.metadata, schema: 1 } };
  const odd = { ...event({ a: 'x' }), metadata: { ...newer.metadata, schema: 0.5 } };
  const end = await stores.stored.append('thing-8', head, [newer, other, odd], () => null);
  reported.length = 0;
  const log = logOf(first);
  const loaded = await log.load('thing-8');
  assert.equal(
    [loaded.events, loaded.unknown].map((some) => some.map(({ revision }) => revision)),
    [[0], [1, 2, 3]],
  );
  assert.equal([loaded.head?.revision, loaded.head?.hash], [3, end.hash]);
  await log.append('thing-8', loaded.head, [event({ a: 'goes on' })], () => null);
  const { signal } = new AbortController();
  for await (const page of log.follow(null, { prefixes: ['thing-8'], page: 10, signal })) {
    assert.equal(
      [page.events, page.unknown].map((some) => some.map(({ revision }) => revision)),
      [
        [0, 4],
        [1, 2, 3],
      ],
    );
    assert.is(page.upTo, await log.head());
    break;
  }
  assert.equal(reported.sort(), ['Done.v0.5', 'Done.v2', 'Undone.v1']);
});

test('the tests’ own log names a stored event that breaks its version', async () => {
  const broken = { ...event({ a: 5 }), metadata: { ...event({}).metadata, schema: 1 } };
  await stores.stored.append('thing-9', null, [broken], () => null);
  await logOf(third).load('thing-9');
  const catalogue = async () => third;
  const strict = cataloguedLog(checkedReads(stores.stored, third), { catalogue, onUnknown: () => undefined });
  assert.match((await failure(strict.load('thing-9'))).message, /\/data\/a must be a string/);
});
