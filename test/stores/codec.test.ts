import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Position, Recorded } from '../../kernel/event.ts';
import { hmacId } from '../../kernel/hmac.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { type SealedLog, sealedLog } from '../../stores/events/codec.ts';
import { hashOf } from '../../stores/events/hash.ts';
import type { RecordedEvent } from '../../stores/events/port.ts';
import { subjectKeys } from '../../stores/events/subjectKeys.ts';
import { collect, failure, newCategory } from '../contract/events/controls.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { keyringOf } from '../controls/keyring.ts';
import { anyCharacter } from '../controls/text.ts';
import { eventually, rounds, suite } from '../harness.ts';
import { countedTables, MASTER_KEY, newEvent, temporaryStore } from './codecControls.ts';

const dataOf = (event: Recorded | undefined) =>
  (event?.data ?? {}) as Readonly<{ open?: unknown; private?: unknown }>;
const test = suite('codec');
const { store, path, remove } = temporaryStore();
test.after(remove);

const setUp = () => {
  const counted = countedTables();
  const keys = subjectKeys({ tables: counted.tables, keyring: keyringOf(MASTER_KEY) });
  return { ...counted, keys, log: sealedLog(store, keys), stream: `${newCategory()}1` };
};
const rawEvents = (stream: string): Promise<readonly RecordedEvent[]> => collect(store.read(stream));
const followAll = async (log: SealedLog, prefix: string): Promise<readonly Recorded[]> => {
  const events: Recorded[] = [];
  const signal = new AbortController().signal;
  for await (const page of log.follow(null, { prefixes: [prefix], page: 100, signal })) {
    events.push(...page.events);
    if (page.live) break;
  }
  return events;
};

test('a stream that was truncated goes on: the next event is chained to the one that stayed', async () => {
  const { log, stream } = setUp();
  await log.append(stream, null, [newEvent({ n: 0 }), newEvent({ n: 1 }), newEvent({ n: 2 })], () => null);
  const [, before, last] = await rawEvents(stream);
  await log.truncate(stream, 2);
  const { events, head } = await log.load(stream);
  assert.equal(
    events.map(({ revision }) => revision),
    [2],
  );
  assert.is(events[0]?.metadata.prev, before && hashOf(before));
  await log.append(stream, head, [newEvent({ n: 3 })], () => null);
  const next = (await rawEvents(stream)).at(-1);
  assert.equal([next?.revision, next?.metadata.prev], [3, last && hashOf(last)]);
});

test('a private part is stored sealed and read open, by load and by follow', async () => {
  const { log, stream } = setUp();
  const secret = { name: 'Zoë Ångström-Secret', amounts: [1.5, null] };
  await log.append(
    stream,
    null,
    [newEvent({ open: 1, private: secret }), newEvent({ open: 2 })],
    () => 'sub_1',
  );
  const [raw, plain] = await rawEvents(stream);
  const part = raw?.data.private as Readonly<Record<string, unknown>>;
  assert.equal(Object.keys(part), ['sealed', 'subject']);
  assert.is(part.subject, 'sub_1');
  assert.match(String(part.sealed), /^[A-Za-z0-9+/]+=*$/);
  assert.equal(plain?.data, { open: 2 });
  const expected = [{ open: 1, private: secret }, { open: 2 }];
  const { events } = await log.load(stream);
  assert.equal(
    events.map((event) => event.data),
    expected,
  );
  assert.equal(
    (await followAll(log, stream)).map((event) => event.data),
    expected,
  );
  for (const file of [path, `${path}-wal`])
    assert.not(readFileSync(file).includes('ngström-Secret'), `${file} holds the secret`);
});

test('a private part needs a subject; an unknown stream has no head', async () => {
  const { log, stream } = setUp();
  const error = await failure(log.append(stream, null, [newEvent({ private: { a: 1 } })], () => null));
  assert.match(error.message, 'has no subject');
  assert.equal(await log.load(stream), { events: [], head: null });
});

test('a sealed part opens in its own event only, and only unchanged', async () => {
  const { log, keys, stream } = setUp();
  await log.append(stream, null, [newEvent({ private: { a: 1 } })], () => 'sub_1');
  const [raw] = await rawEvents(stream);
  if (!raw) throw new Error('nothing was stored');
  const { id, type, data, metadata } = raw;
  const part = data.private as Readonly<{ sealed: string; subject: string }>;
  const bytes = Buffer.from(part.sealed, 'base64');
  const flipped = (at: number): string =>
    Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))).toString('base64');
  const same = { stream, id, type, data, metadata };
  const forged = [
    { ...same, id: 'another' },
    { ...same, type: 'Another' },
    { ...same, stream: `${stream}x` },
    ...[0, 1, 13, bytes.length - 1].map((at) => ({
      ...same,
      data: { private: { ...part, sealed: flipped(at) } },
    })),
    { ...same, data: { private: { ...part, sealed: '' } } },
  ];
  const outcome = async (event: typeof same): Promise<unknown> => {
    const elsewhere = temporaryStore();
    const { stream: target, ...stored } = event;
    await elsewhere.store.append(target, 'none', [stored]);
    const loaded = sealedLog(elsewhere.store, keys).load(target);
    return loaded.then(({ events }) => dataOf(events[0]).private).finally(elsewhere.remove);
  };
  assert.equal(await outcome(same), { a: 1 });
  for (const event of forged)
    assert.match((await failure(outcome(event))).message, /private part of event .* does not open/);
});

test('a part that was tampered with stops the reader of its own event, not of others', async () => {
  const { log, keys, stream } = setUp();
  await log.append(
    stream,
    null,
    [newEvent({ open: 1, private: { a: 1 } }), newEvent({ private: { a: 2 } })],
    () => 'sub_1',
  );
  const [first, second] = await rawEvents(stream);
  if (!first || !second) throw new Error('nothing was stored');
  const elsewhere = temporaryStore();
  const stored = ({ id, type, metadata }: typeof first, data: typeof first.data) => ({
    id,
    type,
    data,
    metadata,
  });
  await elsewhere.store.append(stream, 'none', [
    stored(first, { ...first.data, private: second.data.private }),
    stored(second, second.data),
  ]);
  const [forged, sound] = (await sealedLog(elsewhere.store, keys).load(stream)).events;
  assert.is(dataOf(forged).open, 1);
  assert.throws(() => dataOf(forged).private, /does not open/);
  assert.equal(sound?.data, { private: { a: 2 } });
  elsewhere.remove();
});

test('each event carries the hash of the one before it, within an append and across', async () => {
  const { log, stream } = setUp();
  const first = await log.append(
    stream,
    null,
    [newEvent({ n: 0 }), newEvent({ n: 1, private: { p: 1 } })],
    () => 'sub_1',
  );
  const { head } = await log.load(stream);
  assert.equal(head, first);
  const second = await log.append(stream, head, [newEvent({ n: 2 }), newEvent({ n: 3 })], () => 'sub_1');
  const events = await rawEvents(stream);
  const hashes = events.map(hashOf);
  assert.equal(
    events.map((event) => event.metadata.prev),
    [null, ...hashes.slice(0, 3)],
  );
  assert.is(second.hash, hashes[3]);
  assert.is(second.revision, 3);
});

test(
  'whatever JSON an event holds, it has one hash when written and when read',
  async () => {
    const { log } = setUp();
    const data = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ stringUnit: anyCharacter }));
    await fc.assert(
      fc.asyncProperty(data, async (given) => {
        const stream = `${newCategory()}1`;
        const head = await log.append(stream, null, [newEvent(given)], () => 'sub_1');
        assert.equal((await log.load(stream)).head, head);
      }),
      { numRuns: rounds(60, 5_000) },
    );
  },
  { timeoutMs: 120_000 },
);

test('the same append repeated stores nothing and gives the same head', async () => {
  const { log, stream } = setUp();
  const events = [newEvent({ private: { a: 1 } }), newEvent({ private: { a: 1 } })];
  const head = await log.append(stream, null, events, () => 'sub_1');
  assert.equal(await log.append(stream, null, events, () => 'sub_1'), head);
  const raw = await rawEvents(stream);
  assert.is(raw.length, 2);
  assert.is.not(JSON.stringify(raw[0]?.data), JSON.stringify(raw[1]?.data));
});

test('a destroyed key redacts its subject for ever, and no other', async () => {
  const { log, keys, stream } = setUp();
  const head = await log.append(stream, null, [newEvent({ open: 1, private: { a: 1 } })], () => 'sub_1');
  const other = `${newCategory()}1`;
  await log.append(other, null, [newEvent({ private: { b: 2 } })], () => 'sub_2');
  await keys.destroy('sub_1', DESTRUCTION);
  await keys.destroy('sub_1', DESTRUCTION);
  const redacted = { open: 1, private: { redacted: true } };
  assert.equal((await log.load(stream)).events[0]?.data, redacted);
  assert.equal((await followAll(log, stream))[0]?.data, redacted);
  assert.equal((await log.load(other)).events[0]?.data, { private: { b: 2 } });
  await log.append(stream, head, [newEvent({ open: 2, private: { a: 'later' } })], () => 'sub_1');
  const [, later] = await rawEvents(stream);
  assert.equal(later?.data, { open: 2, private: { redacted: true } });
  assert.is(await keys.obtain('sub_1'), null);
});

test('a subject that never had a key can be destroyed before it has one', async () => {
  const { keys, tables } = setUp();
  await keys.destroy('sub_1', DESTRUCTION);
  for (const each of [keys, subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) })])
    assert.is(await each.obtain('sub_1'), null);
});

test('another process notices a destroyed key within 10 s', async () => {
  const { tables, keys } = setUp();
  const time = { now: 1_000_000 };
  const elsewhere = subjectKeys({ tables, keyring: keyringOf(MASTER_KEY), elapsedMs: () => time.now });
  assert.ok(await elsewhere.obtain('sub_1'));
  await keys.destroy('sub_1', DESTRUCTION);
  time.now += 10_001;
  assert.is((await elsewhere.find(['sub_1'])).size, 0);
});

test('a key that is destroyed while it is being looked up does not come back', async () => {
  const { tables } = countedTables();
  await subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) }).obtain('sub_1');
  const gate: { open?: () => void } = {};
  const slow: Tables = {
    ...tables,
    readMany: async <R>(table: string, subjects: readonly string[]) => {
      const found = await tables.readMany<R>(table, subjects);
      if (!gate.open)
        await new Promise<void>((resolve) => {
          gate.open = resolve;
        });
      return found;
    },
  };
  const keys = subjectKeys({ tables: slow, keyring: keyringOf(MASTER_KEY) });
  const looking = keys.find(['sub_1']);
  const open = await eventually('the look-up to have read its row', () => gate.open);
  await keys.destroy('sub_1', DESTRUCTION);
  open();
  assert.is((await looking).size, 0);
  assert.is(await keys.obtain('sub_1'), null);
});

test('many who make a subject’s key at once get the same one', async () => {
  const { tables, rows } = countedTables();
  for (let round = 0; round < rounds(20, 500); round += 1) {
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) }).obtain(`sub_${round}`),
      ),
    );
    for (const key of made) assert.equal(key, made[0]);
    assert.is(rows.size, round + 1);
  }
});

test('the key of a new stream’s subject is made without a look; one that is there, or was destroyed, stays as it is', async () => {
  const { tables, count } = countedTables();
  const log = sealedLog(store, subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) }));
  await log.append(`${newCategory()}1`, null, [newEvent({ private: { a: 1 } })], () => 'sub_1');
  assert.is(count.reads, 0);
  const key = await subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) }).obtain('sub_1');
  const elsewhere = subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) });
  assert.equal(await elsewhere.obtain('sub_1', true), key);
  await elsewhere.destroy('sub_1', DESTRUCTION);
  assert.is(await subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) }).obtain('sub_1', true), null);
});

test('a page’s keys are looked up all at once, and a second time not at all', async () => {
  const { tables, count, log } = setUp();
  const category = newCategory();
  for (let n = 0; n < 20; n += 1)
    await log.append(
      `${category}${n}`,
      null,
      [newEvent({ private: { n } }), newEvent({ private: { n } })],
      () => `sub_${n}`,
    );
  const fresh = sealedLog(store, subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) }));
  Object.assign(count, { reads: 0 });
  assert.is((await followAll(fresh, category)).length, 40);
  assert.is(count.reads, 1);
  await followAll(fresh, category);
  assert.is(count.reads, 1);
});

test('a kept key holds no more memory than it has bytes', async () => {
  const { keys, tables } = setUp();
  await keys.obtain('sub_1');
  for (const each of [keys, subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) })])
    assert.is((await each.obtain('sub_1'))?.buffer.byteLength, 32);
});

test('another wrapping key is refused by name', async () => {
  const { tables, keys } = setUp();
  await keys.obtain('sub_1');
  const wrong = subjectKeys({ tables, keyring: keyringOf(Buffer.alloc(32, 8)) });
  assert.match((await failure(wrong.find(['sub_1']))).message, 'does not open');
});

test('a wrapped key does not open for another subject', async () => {
  const { tables, rows, keys } = setUp();
  await keys.obtain('sub_1');
  const row = rows.get('subjectKeys/sub_1');
  if (row) rows.set('subjectKeys/sub_2', row);
  const fresh = subjectKeys({ tables, keyring: keyringOf(MASTER_KEY) });
  assert.match((await failure(fresh.find(['sub_2']))).message, 'does not open');
});

test('a name under a key differs for each key and each division into parts', () => {
  const names = [
    hmacId(MASTER_KEY, 'batch', 'a', 'bc'),
    hmacId(MASTER_KEY, 'batch', 'ab', 'c'),
    hmacId(MASTER_KEY, 'email', 'a', 'bc'),
    hmacId(Buffer.alloc(32, 8), 'batch', 'a', 'bc'),
  ];
  assert.is(new Set(names).size, 4);
  for (const name of names) assert.match(name, /^[0-9a-f]{64}$/);
  assert.is(hmacId(MASTER_KEY, 'batch', 'a', 'bc'), names[0]);
});

test('head is the log’s, and appends pass on a wrong revision', async () => {
  const { log, stream } = setUp();
  const head = await log.append(stream, null, [newEvent({})], () => null);
  assert.is(await log.head(), head.position as Position);
  assert.is(
    (await failure(log.append(stream, null, [newEvent({})], () => null))).name,
    'WrongExpectedRevision',
  );
});
