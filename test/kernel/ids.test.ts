import * as assert from 'uvu/assert';
import { systemIds, ulidFrom } from '../../kernel/ids.ts';
import { suite } from '../harness.ts';

const test = suite('identifiers');

test('identifiers are distinct, begin with the time, and use every character in every random place', () => {
  const before = ulidFrom(new Date());
  const made = Array.from({ length: 2_000 }, () => systemIds.ulid());
  const after = ulidFrom(new Date(Date.now() + 1));
  assert.is(new Set(made).size, made.length);
  for (const id of made) {
    assert.match(id, /^[0-9a-hjkmnp-tv-z]{26}$/);
    assert.ok(before <= id && id < after);
  }
  // One of 512 characters and places is left out by chance in a run of 10^24.
  for (let place = 10; place < 26; place += 1)
    assert.is(new Set(made.map((id) => id[place])).size, 32, `place ${place}`);
});

test('an event has a UUID of version 7, distinct and of its time', () => {
  const before = Date.now();
  const made = Array.from({ length: 2_000 }, () => systemIds.event());
  assert.is(new Set(made).size, made.length);
  for (const id of made) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    assert.ok(before <= time && time <= Date.now());
  }
});
