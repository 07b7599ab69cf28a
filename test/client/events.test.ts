import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { json, scripted } from './fakes.ts';

const test = suite('events of the client');
const page = (nextCursor: string, ...eventIds: readonly string[]) =>
  json(200, { data: eventIds.map((eventId) => ({ eventId })), pagination: { hasMore: false, nextCursor } });

test('a start at the end is a place before there is an event: each one has a cursor', async () => {
  const { intake, sent, pauses } = scripted([page('end'), page('next', 'one', 'two')]);
  const got: (string | undefined)[][] = [];
  for await (const { event, cursor } of intake.events({ from: 'now' }))
    if (got.push([event.eventId, cursor]) === 2) break;
  assert.equal(got, [
    ['one', 'end'],
    ['two', 'next'],
  ]);
  const asked = sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
  assert.equal(asked, [
    { from: 'now', wait: '0' },
    { cursor: 'end', wait: '25' },
  ]);
  assert.equal(pauses, []);
});

test('the wait for an event is no time-out, however short that of the client is', async () => {
  const slow = (signal: AbortSignal) =>
    new Promise<Response>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      setTimeout(() => resolve(page('next', 'one')), 50);
    });
  const { intake } = scripted([slow], { timeoutMs: 5, maxRetries: 0 });
  for await (const { event } of intake.events()) {
    assert.is(event.eventId, 'one');
    break;
  }
});

test('a list of the feed ends where it ends now', async () => {
  const { intake, sent } = scripted([page('end', 'one')]);
  const found: string[] = [];
  for await (const { eventId } of intake.list('/api/v1/events')) found.push(eventId);
  assert.equal(found, ['one']);
  assert.is(sent.length, 1);
});
