import * as assert from 'uvu/assert';
import { aborted } from '../../../../kernel/signals.ts';
import { settle } from '../../../../projections/engine/live.ts';
import { createProgress } from '../../../../projections/engine/progress.ts';
import type { Projection } from '../../../../projections/engine/projection.ts';
import { collectionOf, liveCheckpoint } from '../../../../projections/engine/readModels.ts';
import { runTasks } from '../../../../projections/engine/tasks/run.ts';
import {
  createTasks,
  hasEnded,
  type Task,
  type WantedTask,
} from '../../../../projections/engine/tasks/tasks.ts';
import type { EventLog } from '../../../../stores/events/log.ts';
import { noRecorder } from '../../../../telemetry/recorder.ts';
import { appendNumbers } from '../../../controls/numbers.ts';
import { gate, keptReport, type Stores, withStores } from '../../../controls/stores.ts';
import { condemn, eventually, suite } from '../../../harness.ts';
import { counter } from '../../counter.ts';

const test = suite('a process that does rebuilds and retries [operations-17]');

const live = async (stores: Stores, projections: readonly Projection[]): Promise<void> => {
  const progress = createProgress(() => liveCheckpoint(projections, stores.documents.models));
  const { report } = keptReport();
  const ports = { ...stores, projections, progress, recorder: noRecorder, owner: 'live', report };
  assert.ok(await settle(ports, await stores.log.head()));
};

/** A process that does tasks until it is stopped, and whoever asks for them. */
const worker = (
  stores: Stores,
  projections: readonly Projection[],
  { owner = 'one', log = stores.log }: Readonly<{ owner?: string; log?: EventLog }> = {},
) => {
  const { documents, clock } = stores;
  const tasks = createTasks({ tables: documents.tables, clock });
  const { report, lines } = keptReport();
  const stop = new AbortController();
  const running = runTasks(
    { log, documents, clock, tasks, projections, owner, report, graceMs: 0 },
    stop.signal,
  );
  running.catch(condemn);
  const ask = (taskId: string, members: Partial<WantedTask> = {}): Promise<Task> =>
    tasks.request({
      ...{ taskId, kind: 'rebuild', projections: projections.map(({ name }) => name), document: null },
      ...{ anew: false, requestedBy: 'usr_1', ...members },
    });
  const ended = (taskId: string): Promise<Task> =>
    eventually(`the end of ${taskId}`, async () => {
      const task = await tasks.find(taskId);
      return task && hasEnded(task) ? task : null;
    });
  const end = (): Promise<void> => {
    stop.abort();
    return running;
  };
  return { tasks, ask, ended, end, running, lines };
};

/**
 * A log that gives its first page, and no other before `signal` of the reader is aborted, or the gate opens.
 */
const stuck = (log: EventLog) => {
  const { opened, open } = gate();
  const started = gate();
  const slow: EventLog = {
    ...log,
    async *follow(after, options) {
      for await (const page of log.follow(after, { ...options, page: 1 })) {
        yield page;
        started.open();
        await Promise.race([opened, aborted(options.signal)]);
        if (options.signal.aborted) return;
      }
    },
  };
  return { log: slow, open, started: started.opened };
};

test(
  'rebuilds what was asked for, and writes down how it went',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1, 2, 3);
    await live(stores, [projection]);
    const { ask, ended, end, lines } = worker(stores, [projection]);
    await ask('t1');
    const task = await ended('t1');
    await end();
    assert.equal([task.state, task.node, task.starts, task.error], ['done', 'one', 1, null]);
    assert.equal(task.progress, { step: 'dropping', events: 3, total: 3, share: 1 });
    assert.equal(task.compared, [
      { projection: projection.name, before: 1, after: 1, sampled: 1, differing: 0 },
    ]);
    assert.ok(task.startedAt && task.endedAt);
    assert.is(await stores.documents.models.alias(projection.name), collectionOf(projection, 2));
    assert.ok(lines.some(({ message }) => message === 'a rebuilt read model serves'));
  }),
);

test(
  'shows how far it is, and ends when it is cancelled: what serves is as it was',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1, 2, 3);
    await live(stores, [projection]);
    const { log } = stuck(stores.log);
    const { tasks, ask, ended, end } = worker(stores, [projection], { log });
    await ask('t1');
    await eventually('the step', async () => (await tasks.find('t1'))?.progress?.step === 'reading');
    await tasks.cancel('t1');
    const task = await ended('t1');
    assert.equal([task.state, task.cancelling, task.error], ['cancelled', true, null]);
    assert.is(await stores.documents.models.alias(projection.name), collectionOf(projection));
    await end();
  }),
);

test(
  'continues what another process has begun, not anew a second time',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1, 2, 3);
    await live(stores, [projection]);
    const first = worker(stores, [projection], { log: stuck(stores.log).log });
    await first.ask('t1', { anew: true });
    await eventually('it has begun', async () => (await first.tasks.find('t1'))?.progress);
    await first.end();
    assert.is((await first.tasks.find('t1'))?.state, 'running');
    const second = worker(stores, [projection], { owner: 'two' });
    const task = await second.ended('t1');
    await second.end();
    assert.equal([task.state, task.node, task.starts], ['done', 'two', 2]);
    assert.is(await stores.documents.models.alias(projection.name), collectionOf(projection, 2));
  }),
);

test(
  'retries what is quarantined: one document, then all',
  withStores(async (stores) => {
    let poison = [1, 2, 3];
    const projection = counter(() => poison);
    for (const [n, key] of ['a', 'b', 'c'].entries()) await appendNumbers(stores, key, n + 1);
    await live(stores, [projection]);
    const { ask, ended, end } = worker(stores, [projection]);
    poison = [3];
    await ask('t1', { kind: 'retry', document: 'a' });
    assert.equal((await ended('t1')).retried, { released: 1, held: 0 });
    await ask('t2', { kind: 'retry' });
    const both = await ended('t2');
    assert.equal([both.state, both.retried], ['done', { released: 1, held: 1 }]);
    await end();
  }),
);

test(
  'fails what it can’t do, with the reason, and goes on',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1);
    const { ask, ended, end, lines } = worker(stores, [projection]);
    await ask('t1', { projections: ['elsewhere'] });
    const unknown = await ended('t1');
    assert.equal([unknown.state, unknown.retried], ['failed', null]);
    assert.match(unknown.error ?? '', /has no read model elsewhere$/);
    await ask('t2', { kind: 'retry' });
    assert.match((await ended('t2')).error ?? '', /is not served as this release makes it/);
    await ask('t3');
    assert.is((await ended('t3')).state, 'done');
    await end();
    assert.equal(lines.filter(({ level }) => level === 'error').length, 2);
  }),
);

test(
  'gives up what ten processes have begun and none ended; a cancelled one is not begun again',
  withStores(async (stores) => {
    const projection = counter();
    const begun = async (taskId: string, members: Partial<Task>): Promise<void> => {
      const { tasks, ask, end } = worker(stores, [projection], { owner: 'nobody' });
      await end();
      await ask(taskId);
      await tasks.change(taskId, (task) => ({ ...task, state: 'running', node: 'dead', ...members }));
    };
    await begun('t1', { starts: 10 });
    const { ended, end } = worker(stores, [projection]);
    const task = await ended('t1');
    assert.is(task.state, 'failed');
    assert.match(task.error ?? '', /^10 processes have begun it/);
    await end();
    await begun('t2', { starts: 1, cancelling: true });
    const other = worker(stores, [projection]);
    assert.equal([(await other.ended('t2')).state, (await other.ended('t2')).starts], ['cancelled', 1]);
    await other.end();
  }),
);

test(
  'waits for a rebuild of another process, and can be cancelled meanwhile',
  withStores(async (stores) => {
    const projection = counter();
    await appendNumbers(stores, 'a', 1);
    const { leases } = stores.documents;
    assert.ok(await leases.acquire('rebuild', 'the command line', 60_000));
    const { tasks, ask, ended, end } = worker(stores, [projection]);
    await ask('t1');
    await eventually('it waits', async () => (await tasks.find('t1'))?.progress?.step === 'waiting');
    await tasks.cancel('t1');
    assert.is((await ended('t1')).state, 'cancelled');
    await end();
  }),
);
