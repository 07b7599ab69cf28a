import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

const test = suite('console: when a review that is put off is due');

// What browsers load is compiled by itself.
const COMPILED = new URL('../../browser/console/screens/submission/later.js', import.meta.url).href;
const { isPutOff, offeredOf, timesFrom } = (await import(COMPILED)) as Readonly<{
  isPutOff(postponed: Readonly<{ until: string }> | null): boolean;
  offeredOf(times: Readonly<Record<string, string>>): readonly string[];
  timesFrom(now: Date, isUtc: boolean): Readonly<Record<string, string>>;
}>;

test('an hour later, the next morning, and the morning of the next Monday', () => {
  const at = (now: string) => timesFrom(new Date(now), true);
  assert.equal(at('2026-11-27T15:20:00.000Z'), {
    hour: '2026-11-27T16:20:00.000Z',
    tomorrow: '2026-11-28T08:00:00.000Z',
    monday: '2026-11-30T08:00:00.000Z',
  });
  assert.is(at('2026-11-29T23:59:59.000Z').monday, '2026-11-30T08:00:00.000Z');
  assert.is(at('2026-11-30T00:00:00.000Z').monday, '2026-12-07T08:00:00.000Z');
  assert.is(at('2026-12-31T12:00:00.000Z').tomorrow, '2027-01-01T08:00:00.000Z');
});

test('where tomorrow is a Monday its morning is offered once', () => {
  const at = (now: string) => offeredOf(timesFrom(new Date(now), true));
  assert.equal(at('2026-11-28T12:00:00.000Z'), ['hour', 'tomorrow', 'monday', 'own']);
  assert.equal(at('2026-11-29T12:00:00.000Z'), ['hour', 'tomorrow', 'own']);
});

test('mornings are those of the zone of this machine where it is not UTC', () => {
  const now = new Date(2026, 10, 27, 15, 20);
  const { tomorrow, monday } = timesFrom(now, false);
  assert.is(tomorrow, new Date(2026, 10, 28, 8).toISOString());
  assert.is(monday, new Date(2026, 10, 30, 8).toISOString());
});

test('a review is put off until its time has passed', () => {
  assert.is(isPutOff(null), false);
  assert.is(isPutOff({ until: new Date(Date.now() + 60_000).toISOString() }), true);
  assert.is(isPutOff({ until: new Date(Date.now() - 60_000).toISOString() }), false);
});
