import { getEventListeners } from 'node:events';
import * as assert from 'uvu/assert';
import { linkTo, pause } from '../../kernel/signals.ts';
import { suite } from '../harness.ts';

const test = suite('signals');

const listeners = (...controllers: readonly AbortController[]): readonly number[] =>
  controllers.map(({ signal }) => getEventListeners(signal, 'abort').length);

test('a linked signal is aborted with the first of the others, for its reason, and by its own abort', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [linkTo(one.signal, two.signal), linkTo(one.signal, two.signal)];
  second.abort('its own');
  two.abort('the second');
  one.abort('too late');
  assert.equal([first.signal.reason, second.signal.reason], ['the second', 'its own']);
  assert.is(linkTo(new AbortController().signal, two.signal).signal.reason, 'the second');
});

test('once it is unlinked it is not aborted, and no listener remains', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal, unlink } = linkTo(one.signal, two.signal);
  assert.equal(listeners(one, two), [1, 1]);
  unlink();
  assert.equal(listeners(one, two), [0, 0]);
  one.abort();
  assert.is(signal.aborted, false);
});

test('a pause ends with its signal, also one that was aborted before', async () => {
  const stop = new AbortController();
  const paused = pause(60_000, stop.signal);
  stop.abort();
  await paused;
  await pause(60_000, stop.signal);
});
