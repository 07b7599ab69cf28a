import * as assert from 'uvu/assert';
import { StoreDamaged, StoreMisconfigured, StoreUnavailable } from '../../kernel/errors.ts';
import { createBeginning } from '../../runtime/startup.ts';
import { createOutages } from '../../stores/availability/outages.ts';
import { createLogger, reportTo } from '../../telemetry/log.ts';
import { noRecorder } from '../../telemetry/recorder.ts';
import { failure } from '../controls/stores.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('begin');
const { signal: going } = new AbortController();
const away = new StoreUnavailable('nobody listens');

/** A beginning whose attempts meet `errors`, one after the other, and then succeed; its one part fails while `part.error` is set. */
const beginning = (...errors: readonly Error[]) => {
  const outages = createOutages(reportTo(createLogger('silent')), noRecorder.unavailable);
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
  return { ...createBeginning(outages, { events: probe }, attempt), outages, part, seen };
};

test('begins at once when all is there, and ends what it began', async () => {
  const { begin, end, hasBegun, seen } = beginning();
  assert.is(hasBegun(), false);
  await begin(going);
  assert.is(hasBegun(), true);
  await end();
  assert.equal(seen, { attempts: 1, ends: 1 });
});

test('waits for no attempt once it is stopped [operations-1]', async () => {
  const { outages } = beginning();
  const seen = { ends: 0 };
  let succeed = (_end: () => Promise<void>): void => undefined;
  const attempt = () =>
    new Promise<() => Promise<void>>((resolve) => {
      succeed = resolve;
    });
  const { begin, end, hasBegun } = createBeginning(outages, {}, attempt);
  await begin(AbortSignal.abort());
  await end();
  assert.is(hasBegun(), false);
  succeed(async () => {
    seen.ends += 1;
  });
  await eventually('what it has begun all the same is ended', () => seen.ends === 1);
  assert.is(hasBegun(), false);
});

test('waits for a part that is away, and names it meanwhile', async () => {
  const { begin, end, hasBegun, outages, part, seen } = beginning(away, away);
  part.error = away;
  await begin(going);
  assert.equal([hasBegun(), outages.away()], [false, ['events']]);
  part.error = null;
  await eventually('it begins', hasBegun, 5_000);
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
    assert.is(await failure(first.begin(going)), error);
    await first.end();
    const later = beginning(away, error);
    await later.begin(going);
    assert.is(await failure(later.broken()), error);
    await later.end();
    assert.is(later.hasBegun(), false);
  }
});

test('looks at every part before it waits: another one may be wrong for good', async () => {
  const { begin, end, part } = beginning(away);
  part.error = new StoreMisconfigured('wrong password');
  assert.is(await failure(begin(going)), part.error);
  await end();
});

test('its end ends the waiting', async () => {
  const { begin, end, seen } = beginning(...Array.from({ length: 100 }, () => away));
  await begin(going);
  await end();
  assert.is(seen.ends, 0);
});
