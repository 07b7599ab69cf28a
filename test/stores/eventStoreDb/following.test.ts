import * as assert from 'uvu/assert';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import { newCategory, numbered, pagesUntil, untilLive } from '../../contract/events/controls.ts';
import { eventually, suite } from '../../harness.ts';
import { appendPast, followInBackground, numbersOf, openStage, proposed, type Stage, upTo } from './stage.ts';

const test = suite('EventStoreDB driver: following');
let stage: Stage;
test.before(async () => {
  // A busy machine may need longer for 64 appends at once than other tests wait.
  stage = await openStage(5_000);
});
test.after(() => stage.close());

const append = (stream: string, count: number): void => appendPast(stage, stream, count);

test('events of the server’s own and markers are never given, whatever the prefix', async () => {
  const category = newCategory();
  append(`${category}1`, 12);
  await stage.store.head();
  const sent = stage.standIn.tally.sent;
  const all = await untilLive(stage.store, null, { prefixes: [''], page: 5_000 });
  const others = stage.standIn.log.all().filter(({ stream }) => !stream.startsWith('$'));
  assert.is(stage.standIn.tally.sent - sent, others.length, 'the server itself leaves its own events out');
  assert.ok(all.some(({ stream }) => stream === `${category}1`));
  assert.ok(all.every(({ stream }) => !stream.startsWith('$') && stream !== 'intakeLogMarker'));
});

test('the server leaves out events of types that nobody asked for', async () => {
  const category = newCategory();
  append(`${category}1`, 12);
  await eventually('no subscription', () => stage.standIn.calls().subscriptions === 0);
  const sent = stage.standIn.tally.sent;
  const following = { prefixes: [category], types: ['OtherThingHappened'] };
  assert.equal(await untilLive(stage.store, null, following), []);
  const markers = stage.standIn.log.all().filter(({ stream }) => stream === 'intakeLogMarker');
  assert.is(stage.standIn.tally.sent - sent, markers.length);
});

test('events that come together are one page, at the head too', async () => {
  const category = newCategory();
  const following = followInBackground(stage.store, category, 500);
  await eventually('it is live', following.isLive);
  const before = following.pages.length;
  await Promise.all(
    Array.from({ length: 64 }, (_, n) => stage.store.append(`${category}${n}`, 'none', numbered(1))),
  );
  await eventually('all events', () => following.events.length >= 64);
  await following.stop();
  assert.ok(following.pages.length - before < 32, `${following.pages.length - before} pages`);
});

test('a subscription that the server ends without an error is made again: nothing is lost or doubled', async () => {
  const category = newCategory();
  append(`${category}1`, 200);
  const following = followInBackground(stage.store, category, 10);
  for (let n = 200; n < 230; n += 1) {
    if (n % 10 === 0) stage.standIn.endSubscriptions();
    await stage.store.append(`${category}1`, n - 1, numbered(1, n));
  }
  await eventually('all events', () => following.events.length >= 230);
  await following.stop();
  assert.equal(numbersOf(following.events), upTo(230));
  assert.is(following.restarts(), 0);
});

test('a subscription that the server drops for a slow reader is made again, on the same connection', async () => {
  const category = newCategory();
  const following = followInBackground(stage.store, category, 10);
  await eventually('it is live', following.isLive);
  const { made } = stage.proxy.connections();
  for (let n = 0; n < 30; n += 1) {
    if (n % 10 === 0) stage.standIn.dropSubscriptions();
    await stage.store.append(`${category}1`, n === 0 ? 'none' : n - 1, numbered(1, n));
  }
  await eventually('all events', () => following.events.length >= 30);
  await following.stop();
  assert.equal(numbersOf(following.events), upTo(30));
  assert.equal([following.restarts(), stage.proxy.connections().made - made], [0, 0]);
});

test('leaving the loop ends the call, also one that has far to go, and so does an abort', async () => {
  const category = newCategory();
  append(`${category}1`, 500);
  await eventually('no subscription', () => stage.standIn.calls().subscriptions === 0);
  await pagesUntil(stage.store, null, { prefixes: [category], page: 5 }, () => true);
  const { signal } = new AbortController();
  for await (const page of stage.store.follow(null, { prefixes: [category], page: 5, signal }))
    if (page.events.length > 0) break;
  const following = followInBackground(stage.store, category);
  await eventually('it is live', following.isLive);
  assert.is(stage.standIn.calls().subscriptions, 1);
  await following.stop();
  await eventually('no subscription', () => stage.standIn.calls().subscriptions === 0);
});

test('a slow reader holds the server back: little is buffered', async () => {
  const category = newCategory();
  const large = 'x'.repeat(100_000);
  for (let n = 0; n < 200; n += 1) stage.standIn.log.append(`${category}1`, 'any', [proposed({ n, large })]);
  const before = stage.standIn.tally.sent;
  const { signal } = new AbortController();
  const seen: unknown[] = [];
  for await (const { events, live } of stage.store.follow(null, { prefixes: [category], page: 1, signal })) {
    if (seen.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const sent = stage.standIn.tally.sent - before;
      assert.ok(sent < 120, `${sent} events were sent to one who took two`);
    }
    seen.push(...numbersOf(events));
    if (live) break;
  }
  assert.equal(seen, upTo(200));
});

test('a scavenge makes no follower miss an event', async () => {
  const category = newCategory();
  for (let n = 0; n < 6; n += 1)
    await stage.store.append(`${category}1`, n === 0 ? 'none' : n - 1, numbered(1, n));
  const [first] = await untilLive(stage.store, null, { prefixes: [category] });
  await stage.store.truncate(`${category}1`, 4);
  stage.standIn.log.scavenge();
  assert.equal(numbersOf(await untilLive(stage.store, null, { prefixes: [category] })), [4, 5]);
  assert.equal(
    numbersOf(await untilLive(stage.store, first?.position ?? null, { prefixes: [category] })),
    [4, 5],
  );
  assert.is((await stage.store.append(`${category}1`, 5, numbered(1, 6))).revision, 6);
});

test('nor one that continues from a scavenged event, also on servers that skip one there', async () => {
  const category = newCategory();
  for (let n = 0; n < 4; n += 1)
    await stage.store.append(`${category}1`, n === 0 ? 'none' : n - 1, numbered(1, n));
  const [, second, third] = await untilLive(stage.store, null, { prefixes: [category] });
  await stage.store.truncate(`${category}1`, 2);
  stage.standIn.log.scavenge();
  stage.standIn.faults.version = '23.10.8';
  const store = eventStoreDb({ connectionString: stage.standIn.connectionString, answerMs: 500 });
  const from = (place: typeof second) =>
    untilLive(store, place?.position ?? null, { prefixes: [category] }).then(numbersOf);
  assert.equal(await from(second), [2, 3]);
  assert.equal(await from(third), [3]);
  assert.equal(await from(undefined), [2, 3]);
  await store.close();
  stage.standIn.faults.version = '24.10.0';
});
