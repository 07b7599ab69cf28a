import * as assert from 'uvu/assert';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import { collect, failure, newCategory, numbered, untilLive } from '../../contract/events/controls.ts';
import { eventually, suite } from '../../harness.ts';
import { openStage, proposed, type Stage, upTo } from './stage.ts';

const test = suite('EventStoreDB driver: appending');
let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after(() => stage.close());

const stored = async (stream: string): Promise<readonly unknown[]> =>
  (await collect(stage.store.read(stream))).map((event) => event.data.n);

test('an answer that is lost after the events were stored: the append is repeated and stored once', async () => {
  const [stream, { faults }] = [`${newCategory()}1`, stage.standIn];
  await stage.store.append(stream, 'none', numbered(1));
  faults.answersToLose = 1;
  const { revision, position } = await stage.store.append(stream, 0, numbered(2, 1));
  assert.is(revision, 2);
  assert.is((await collect(stage.store.read(stream, 2)))[0]?.position, position);
  assert.equal(await stored(stream), [0, 1, 2]);
  assert.is(faults.answersToLose, 0);
});

test('another writer came in between the append and its repetition: it still counts as stored', async () => {
  const [stream, { faults, log }] = [`${newCategory()}1`, stage.standIn];
  await stage.store.append(stream, 'none', numbered(1));
  faults.answersToLose = 1;
  const appending = stage.store.append(stream, 0, numbered(1, 1));
  await eventually('it is stored', () => log.stream(stream).length === 2);
  log.append(stream, 1, [proposed({ n: 2 })]);
  assert.is((await appending).revision, 1);
  assert.equal(await stored(stream), [0, 1, 2]);
});

test('a repetition that is answered without its position is looked up', async () => {
  const [stream, { faults }] = [`${newCategory()}1`, stage.standIn];
  const events = numbered(3);
  faults.positionless = true;
  const first = await stage.store.append(stream, 'none', events);
  assert.equal(await stage.store.append(stream, 'none', events), first);
  faults.positionless = false;
});

test('an answer that comes after its time-out does no harm', async () => {
  const [stream, { faults }] = [`${newCategory()}1`, stage.standIn];
  faults.delayMs = 700; // the store waits 500
  const error = await failure(stage.store.append(stream, 'none', numbered(1)));
  assert.is(error.name, 'StoreUnavailable');
  faults.delayMs = 0;
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert.equal(await stored(stream), [0]);
});

test('a server that says nothing: StoreUnavailable in time, and all is well when it speaks again', async () => {
  const [stream, { faults }] = [`${newCategory()}1`, stage.standIn];
  faults.stalled = true;
  const errors = await Promise.all([
    failure(stage.store.append(stream, 'none', numbered(1))),
    failure(collect(stage.store.read(stream))),
    failure(stage.store.head()),
    failure(untilLive(stage.store, null, { prefixes: ['a'] })),
    failure(stage.store.truncate(stream, 1)),
  ]);
  for (const { name, message } of errors) {
    assert.is(name, 'StoreUnavailable');
    assert.match(message, /no answer|Deadline/);
  }
  faults.stalled = false;
  assert.is((await stage.store.append(stream, 'none', numbered(1))).revision, 0);
});

test('calls for appends that the server ends without an error are made again, without waiting for their answers', async () => {
  const stream = `${newCategory()}1`;
  const { connectionString } = stage.standIn;
  // More than a test may take.
  const store = eventStoreDb({ connectionString, answerMs: 600_000 });
  for (let n = 0; n < 20; n += 1) {
    await store.append(stream, n === 0 ? 'none' : n - 1, numbered(1, n));
    if (n % 5 === 0) stage.standIn.endAppends();
  }
  await store.close();
  assert.equal(await stored(stream), upTo(20));
});

test('so many appends are under way at once, and no more; closing waits for the others too', async () => {
  const category = newCategory();
  const { faults, tally, connectionString } = stage.standIn;
  const store = eventStoreDb({ connectionString, inFlight: 16 });
  [tally.appendsAtOnce, faults.delayMs] = [0, 100];
  const appending = upTo(64).map((n) => store.append(`${category}${n}`, 'none', numbered(1)));
  await store.close();
  faults.delayMs = 0;
  for (const { status } of await Promise.allSettled(appending)) assert.is(status, 'fulfilled');
  assert.is(tally.appendsAtOnce, 16);
});

test('an append without a free slot gives up in time, and the others keep their connection', async () => {
  const category = newCategory();
  const { faults } = stage.standIn;
  const connectionString = `esdb://${stage.proxy.address}?tls=false`;
  const store = eventStoreDb({ connectionString, inFlight: 1, answerMs: 1_000 });
  await store.append(`${category}0`, 'none', numbered(1));
  const { made } = stage.proxy.connections();
  faults.delayMs = 700;
  const appending = upTo(4).map((n) => store.append(`${category}${n + 1}`, 'none', numbered(1)));
  const ends = await Promise.allSettled(appending);
  faults.delayMs = 0;
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []));
  assert.ok(failed.length > 0 && failed.length < 4, `${failed.length} of 4 failed`);
  for (const { name, message } of failed)
    assert.equal([name, /too many appends/.test(message)], ['StoreUnavailable', true]);
  assert.is(stage.proxy.connections().made, made);
  await store.close();
});

test('a server that is not ready, or refuses appends only: they are tried for two seconds, then StoreUnavailable says why', async () => {
  const [stream, { faults }] = [`${newCategory()}1`, stage.standIn];
  for (const refuses of ['all', 'appends'] as const) {
    faults.refuses = refuses;
    const { name, message } = await failure(stage.store.append(stream, 'none', numbered(1)));
    assert.equal([name, /Server Is Not Ready/.test(message)], ['StoreUnavailable', true]);
  }
  const appending = stage.store.append(stream, 'none', numbered(1));
  await new Promise((resolve) => setTimeout(resolve, 100));
  faults.refuses = 'nothing';
  assert.is((await appending).revision, 0, 'a moment of it is not noticed');
});
