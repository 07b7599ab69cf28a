import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import { StoreMisconfigured, StoreUnavailable } from '../../kernel/errors.ts';
import { createProgress } from '../../projections/engine/progress.ts';
import { readinessChecks } from '../../runtime/readiness.ts';
import { createAvailability } from '../../stores/availability/availability.ts';
import { createLogger, reportTo } from '../../telemetry/log.ts';
import { noRecorder } from '../../telemetry/recorder.ts';
import { failure, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('what /health/ready says of a part [operations-5]');

/** What is said of a part whose probe is `probe`, watched until `body` has ended. */
const saying = async (
  probe: () => Promise<void>,
  body: (say: () => Promise<string | null>) => Promise<void>,
): Promise<void> => {
  const { log, remove } = temporaryStores();
  const availability = createAvailability(
    reportTo(createLogger('silent')),
    noRecorder.unavailable,
    systemClock,
  );
  const stop = new AbortController();
  const watching = availability.watch({ events: probe }, stop.signal);
  const progress = createProgress(async () => null);
  const { events } = readinessChecks({
    ...{ log, progress, availability },
    probes: { events: probe },
    needsReadModels: false,
    hasStarted: () => true,
  });
  try {
    await body(async () => (await events?.()) ?? null);
  } finally {
    stop.abort();
    await watching;
    remove();
  }
};

test('why it can’t be used, without what is secret', async () => {
  const refusal =
    'the event store can’t be used now: esdb://intake:s3cr3t@db:2113/x?y=z: db:2113 gave no answer';
  for (const error of [new StoreUnavailable(refusal), new StoreMisconfigured(refusal)])
    await saying(
      () => Promise.reject(error),
      async (say) => {
        const said = (await say()) ?? '';
        assert.match(said, /db:2113 gave no answer/);
        assert.not.match(said, /s3cr3t|y=z/);
      },
    );
});

test('a fault of ours is none of anybody’s business', async () => {
  await saying(
    () => Promise.reject(new Error('x is not a function')),
    async (say) => assert.is((await failure(say())).message, 'x is not a function'),
  );
});

test('of a part that hangs: what was wrong when it was looked at last', async () => {
  let probe = (): Promise<void> => Promise.reject(new StoreUnavailable('db:2113 refuses connections'));
  await saying(
    () => probe(),
    async (say) => {
      assert.match((await say()) ?? '', /refuses connections/);
      probe = () => new Promise(() => undefined);
      assert.match((await say()) ?? '', /refuses connections/);
    },
  );
});
