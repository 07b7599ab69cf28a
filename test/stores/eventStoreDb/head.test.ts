import * as assert from 'uvu/assert';
import { newCategory, numbered, pagesUntil } from '../../contract/events/controls.ts';
import { eventually, suite } from '../../harness.ts';
import { appendPast, followInBackground, numbersOf, openStage, proposed, type Stage, upTo } from './stage.ts';

const test = suite('EventStoreDB driver: the head, and upTo');
let stage: Stage;
test.before(async () => {
  stage = await openStage();
});
test.after(() => stage.close());

const append = (stream: string, count: number): void => appendPast(stage, stream, count);

test('controls out of the ordinary change nothing: upTo only grows, and never beyond the log', async () => {
  const category = newCategory();
  stage.standIn.faults.oddControls = true;
  append(`${category}1`, 50);
  const following = followInBackground(stage.store, category, 5);
  await eventually('all events', () => following.events.length >= 50);
  await stage.store.append(`${category}1`, 49, numbered(1, 50));
  await eventually('the last', () => following.events.length > 50);
  await following.stop();
  stage.standIn.faults.oddControls = false;
  assert.equal(numbersOf(following.events), upTo(51));
  const places = following.pages.map((page) => page.upTo);
  assert.equal(places, [...places].sort());
  const head = await stage.store.head();
  assert.ok(head !== null && (places.at(-1) ?? '') <= head);
});

test('a follower whose streams are quiet reaches the head, whatever the server wrote after it', async () => {
  const [quiet, busy] = [newCategory(), newCategory()];
  const following = followInBackground(stage.store, quiet);
  await eventually('it is live', following.isLive);
  for (let n = 0; n < 5; n += 1) {
    append(`${busy}1`, 3);
    for (let written = 0; written < n; written += 1) stage.standIn.log.system();
    const head = await stage.store.head();
    assert.ok(head !== null);
    await eventually(`head ${n}`, () => (following.pages.at(-1)?.upTo ?? '') >= head, 2_000);
  }
  await following.stop();
  assert.equal(following.events, []);
});

test('head() writes a marker only where something was appended after the last one', async () => {
  const { log } = stage.standIn;
  const markers = (): number => log.all().filter(({ stream }) => stream === 'intakeLogMarker').length;
  append(`${newCategory()}1`, 1);
  const head = await stage.store.head();
  const before = markers();
  for (let n = 0; n < 10; n += 1) assert.is(await stage.store.head(), head);
  for (let n = 0; n < 3; n += 1) log.system();
  assert.is(await stage.store.head(), head);
  assert.is(markers(), before);
  append(`${newCategory()}1`, 1);
  const heads = await Promise.all(upTo(20).map(() => stage.store.head()));
  assert.ok(heads.every((one) => one !== null && head !== null && one > head));
  assert.ok(markers() - before <= 2, 'callers at the same time share an answer');
  assert.equal(log.stream('intakeLogMarker').length, 1, 'the stream keeps the newest only');
});

test('the markers’ stream keeps the newest only, and its other metadata stay', async () => {
  const { standIn, store, close } = await openStage();
  const body = { $acl: { $r: ['$admins', 'intake'] } };
  standIn.log.append('$$intakeLogMarker', 'none', [{ ...proposed(body), type: '$metadata' }]);
  await store.head();
  const newest = standIn.log.stream('$$intakeLogMarker').at(-1);
  assert.equal(JSON.parse(Buffer.from(newest?.data ?? []).toString()), { ...body, $maxCount: 1 });
  await close();
});

test('a follower that waits sends no requests', async () => {
  const following = followInBackground(stage.store, newCategory());
  await eventually('it is live', following.isLive);
  await new Promise((resolve) => setTimeout(resolve, 700)); // until markers of earlier appends are written
  const { tally } = stage.standIn;
  const before = { ...tally };
  const pages = following.pages.length;
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal({ ...tally }, before);
  assert.is(following.pages.length, pages);
  await following.stop();
});

/**
 * Appends other events, the head's marker, and the server's own, until so many lie behind `start`, twelve of
 * them behind the marker.
 */
const fillTo = async (start: string | null, length: number): Promise<void> => {
  const { log } = stage.standIn;
  const first = log.all().findIndex(({ commit }) => start?.startsWith(String(commit).padStart(19, '0')));
  const missing = (): number => length - (log.all().length - first - 1);
  log.append(
    `${newCategory()}1`,
    'none',
    upTo(missing() - 14).map(() => proposed()),
  );
  await stage.store.head();
  while (missing() > 0) log.system();
};

test('over a long range of other events upTo moves on its way', async () => {
  const start = await stage.store.head();
  await fillTo(start, 25_000);
  const pages = await pagesUntil(stage.store, start, { prefixes: [newCategory()] }, ({ live }) => live);
  assert.ok(pages.slice(0, -1).some((page) => start !== null && page.upTo > start));
});

test('upTo never goes beyond what head() gives, though the server has scanned events of its own after that', async () => {
  const start = await stage.store.head();
  await fillTo(start, 10_004);
  const pages = await pagesUntil(stage.store, start, { prefixes: [newCategory()] }, ({ live }) => live);
  const head = await stage.store.head();
  for (const page of pages) assert.ok(head !== null && page.upTo <= head, `${page.upTo} is behind ${head}`);
});
