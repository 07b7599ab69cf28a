import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import { StoreDamaged, StoreMisconfigured, StoreUnavailable } from '../../kernel/errors.ts';
import { createStartup } from '../../runtime/startup.ts';
import { createAvailability } from '../../stores/availability/availability.ts';
import { createLogger, reportTo } from '../../telemetry/log.ts';
import { noRecorder } from '../../telemetry/recorder.ts';
import { failure } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('startup');
const { signal: going } = new AbortController();
const away = new StoreUnavailable('nobody listens');

/**
 * A beginning whose attempts meet `errors`, one after the other, and then succeed; its one part fails while
 * `part.error` is set.
 */
const beginning = (...errors: readonly Error[]) => {
  const availability = createAvailability(
    reportTo(createLogger('silent')),
    noRecorder.unavailable,
    systemClock,
  );
  const part = { error: null as Error | null };
  const probe = async (): Promise<void> => {
    if (part.error) throw part.error;
  };
  const seen = { attempts: 0, ends: 0 };
  const attempt = async () => {
    const error = errors[seen.attempts];
    seen.attempts += 1;
    if (error) throw error;
    return async () => {
      seen.ends += 1;
    };
  };
  return { ...createStartup(availability, { events: probe }, attempt), availability, part, seen };
};

test('starts at once when every part is available, and ends what it started', async () => {
  const { start, end, hasStarted, seen } = beginning();
  assert.is(hasStarted(), false);
  await start(going);
  assert.is(hasStarted(), true);
  await end();
  assert.equal(seen, { attempts: 1, ends: 1 });
});

test('waits for no attempt once it is stopped [operations-1]', async () => {
  const { availability } = beginning();
  const seen = { ends: 0 };
  let succeed = (_end: () => Promise<void>): void => undefined;
  const attempt = () =>
    new Promise<() => Promise<void>>((resolve) => {
      succeed = resolve;
    });
  const { start, end, hasStarted } = createStartup(availability, {}, attempt);
  await start(AbortSignal.abort());
  await end();
  assert.is(hasStarted(), false);
  succeed(async () => {
    seen.ends += 1;
  });
  await eventually('what it has begun all the same is ended', () => seen.ends === 1);
  assert.is(hasStarted(), false);
});

test('waits for a part that is unavailable, and names it', async () => {
  const { start, end, hasStarted, availability, part, seen } = beginning(away, away);
  part.error = away;
  await start(going);
  assert.equal([hasStarted(), availability.unavailable()], [false, ['events']]);
  part.error = null;
  await eventually('it begins', hasStarted, 5_000);
  await end();
  assert.equal(seen, { attempts: 3, ends: 1 });
});

test('gives up what waiting does not mend, at once or later', async () => {
  for (const error of [
    new StoreMisconfigured('wrong password'),
    new StoreDamaged('/data/log.db', 'torn', 'restore it'),
    new Error('a bug'),
  ]) {
    const first = beginning(error);
    assert.is(await failure(first.start(going)), error);
    await first.end();
    const later = beginning(away, error);
    await later.start(going);
    assert.is(await failure(later.broken()), error);
    await later.end();
    assert.is(later.hasStarted(), false);
  }
});

test('looks at every part before it waits: another one may be wrong for good', async () => {
  const { start, end, part } = beginning(away);
  part.error = new StoreMisconfigured('wrong password');
  assert.is(await failure(start(going)), part.error);
  await end();
});

test('its end ends the waiting', async () => {
  const { start, end, seen } = beginning(...Array.from({ length: 100 }, () => away));
  await start(going);
  await end();
  assert.is(seen.ends, 0);
});
