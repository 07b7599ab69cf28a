import * as assert from 'uvu/assert';
import { createRoom } from '../../../reactors/extract/room.ts';
import { gate } from '../../controls/stores.ts';
import { suite } from '../../harness.ts';

const test = suite('room for processing');

test('as many attempts as there are places', () => {
  const { capacity } = createRoom(2);
  assert.equal(capacity(0), { limit: 2, perLane: 2, skip: [] });
  assert.is(capacity(2).limit, 0);
});

test('those that wait elsewhere take no place, until they are back', async () => {
  const { capacity, elsewhere } = createRoom(2);
  const { opened, open } = gate();
  const waiting = [1, 2].map(() => elsewhere('a', () => opened));
  assert.is(capacity(2).limit, 2);
  assert.is(capacity(3).limit, 1);
  open();
  await Promise.all(waiting);
  assert.is(capacity(2).limit, 0);
});

test('a lane with many that wait begins no more, others do; one that throws waits no longer', async () => {
  const { capacity, elsewhere } = createRoom(2, { perLane: 2, total: 3 });
  const { opened, open } = gate<never>();
  const failing = opened.then(() => Promise.reject(new Error('away')));
  const one = () => elsewhere('a', () => failing).catch(() => undefined);
  const waiting = [one(), one()];
  assert.equal(capacity(2), { limit: 2, perLane: 2, skip: ['a'] });
  const last = elsewhere('b', () => failing).catch(() => undefined);
  assert.is(capacity(3).limit, 0, 'enough of all');
  open(undefined as never);
  await Promise.all([...waiting, last]);
  assert.equal(capacity(0), { limit: 2, perLane: 2, skip: [] });
});
