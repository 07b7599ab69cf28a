import * as assert from 'uvu/assert';
import { type Context, createHandle } from '../../commands/handle.ts';
import { load } from '../../commands/load.ts';
import { workflow, workflowStream } from '../../domain/workflow.ts';
import { DomainError } from '../../kernel/decider.ts';
import { WrongExpectedRevision } from '../../kernel/errors.ts';
import { systemIds } from '../../kernel/ids.ts';
import type { EventLog } from '../../stores/events/log.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('handle');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

let slugs = 0;
const newStream = (): string => workflowStream(`slug-${++slugs}`);
const publish = { type: 'PublishWorkflow', workflowId: 'wf_1', definition } as const;
const assign = (companyId: string) => ({ type: 'AssignWorkflow', companyId }) as const;

test('an event carries all of its metadata', async () => {
  const stream = newStream();
  const asked: Context = {
    actor: { kind: 'key', id: 'key_1' },
    correlationId: 'c1',
    causationId: 'c2',
    requestId: 'r1',
  };
  const { at } = await stores.handle(workflow, stream, publish, asked);
  await stores.handle(workflow, stream, publish, context);
  const { events } = await stores.log.load(stream);
  const [first, second] = events;
  assert.equal(first?.metadata, {
    schema: 1,
    at,
    $correlationId: 'c1',
    $causationId: 'c2',
    actor: { kind: 'key', id: 'key_1' },
    requestId: 'r1',
    prev: null,
  });
  assert.is(at, stores.clock.now().toISOString());
  assert.match(second?.metadata.prev ?? '', /^[0-9a-f]{64}$/);
  assert.not.ok('requestId' in (second?.metadata ?? {}));
  assert.match(first?.id ?? '', /^[0-9a-f-]{36}$/);
});

test('it gives the state, the events and where they stand', async () => {
  const stream = newStream();
  const handled = await stores.handle(workflow, stream, publish, context);
  assert.equal(
    handled.events.map(({ type }) => type),
    ['WorkflowPublished'],
  );
  const { head } = await stores.log.load(stream);
  assert.equal([handled.revision, handled.position], [0, head?.position]);
  assert.equal(handled.state, await load(stores.log, workflow, stream));
});

test('a command that already holds gives the place of the stream’s last event, not of the log’s', async () => {
  const stream = newStream();
  await stores.handle(workflow, stream, publish, context);
  const first = await stores.handle(workflow, stream, assign('cmp_1'), context);
  await stores.handle(workflow, newStream(), publish, context);
  const again = await stores.handle(workflow, stream, assign('cmp_1'), context);
  assert.equal(again.events, []);
  assert.equal([again.revision, again.position], [first.revision, first.position]);
  assert.equal(again.state, first.state);
});

test('of many writers at once each succeeds, and every event is there once', async () => {
  const stream = newStream();
  await stores.handle(workflow, stream, publish, context);
  const names = Array.from({ length: 20 }, (_, index) => `cmp_${index}`);
  await Promise.all(names.map((name) => stores.handle(workflow, stream, assign(name), context)));
  const state = await load(stores.log, workflow, stream);
  assert.equal([...(state?.companies ?? [])].sort(), [...names].sort());
  assert.is((await stores.log.load(stream)).head?.revision, 20);
});

test('a writer that came second decides again on the new state', async () => {
  const stream = newStream();
  await stores.handle(workflow, stream, publish, context);
  const before: number[] = [];
  const both = ['same', 'same'].map((name) =>
    stores.handle(workflow, stream, assign(name), context, { guard: (revision) => before.push(revision) }),
  );
  const handled = await Promise.all(both);
  assert.equal(handled.map(({ events }) => events.length).sort(), [0, 1]);
  assert.equal(before.sort(), [0, 0, 1], 'the guard sees each decision');
});

test('a stream that the caller has loaded is not loaded again, unless another writer came first', async () => {
  const stream = newStream();
  let loads = 0;
  const load: EventLog['load'] = (name) => {
    loads += 1;
    return stores.log.load(name);
  };
  const handle = createHandle({ ...stores.log, load }, stores.clock, systemIds);
  const options = { loaded: await stores.log.load(stream) };
  assert.is((await handle(workflow, stream, publish, context, options)).events.length, 1);
  assert.is(loads, 0);
  // By now it is stale.
  const { revision, events } = await handle(workflow, stream, publish, context, options);
  assert.equal([loads, revision, events.length], [1, 1, 1]);
});

test('the guard sees -1 before the first event, and what it throws stops the command', async () => {
  const stream = newStream();
  const seen: number[] = [];
  await stores.handle(workflow, stream, publish, context, { guard: (revision) => seen.push(revision) });
  assert.equal(seen, [-1]);
  const refusing = stores.handle(workflow, stream, publish, context, {
    guard: () => {
      throw new Error('stale');
    },
  });
  assert.is((await failure(refusing)).message, 'stale');
  assert.is((await stores.log.load(stream)).head?.revision, 0);
});

test('a broken rule is thrown and appends nothing', async () => {
  const stream = newStream();
  const error = await failure(stores.handle(workflow, stream, assign('cmp_1'), context));
  assert.instance(error, DomainError);
  assert.is(error.name, 'WorkflowNotFound');
  assert.is((await stores.log.load(stream)).head, null);
});

test('an endless conflict is tried again after growing pauses of five seconds in all, another failure is thrown at once [operations-6]', async () => {
  let appends = 0;
  const logThatThrows = (error: Error): EventLog => ({
    ...stores.log,
    append: () => {
      appends += 1;
      return Promise.reject(error);
    },
  });
  const pauses: number[] = [];
  const wait = async (ms: number): Promise<void> => void pauses.push(ms);
  const run = (error: Error) =>
    createHandle(logThatThrows(error), stores.clock, stores.ids, wait)(
      workflow,
      newStream(),
      publish,
      context,
    );
  const endless = await failure(run(new WrongExpectedRevision('s', 1, 2)));
  assert.equal(
    [endless.name, appends],
    ['StoreUnavailable', pauses.length + 3],
    'the first two retries wait for nothing',
  );
  const total = pauses.reduce((sum, ms) => sum + ms, 0);
  assert.ok(total >= 5_000 && total < 5_250, `${total} ms in all`);
  assert.ok((pauses[0] ?? 0) <= 10 && Math.max(...pauses) <= 250);
  assert.match(endless.message, new RegExp(`changed ${appends} times`));
  const before = appends;
  assert.is((await failure(run(new Error('disk')))).message, 'disk');
  assert.is(appends, before + 1);
});

test('load gives the state as it was after a revision', async () => {
  const stream = newStream();
  await stores.handle(workflow, stream, publish, context);
  await stores.handle(workflow, stream, assign('cmp_1'), context);
  assert.equal((await load(stores.log, workflow, stream, 0))?.companies, []);
  assert.equal((await load(stores.log, workflow, stream, 1))?.companies, ['cmp_1']);
  assert.is(await load(stores.log, workflow, 'workflow-nowhere'), null);
});

const request = (causationId: string, id = 'key_1'): Context => ({
  actor: { kind: 'key', id },
  correlationId: causationId,
  causationId,
  once: true,
});

test('a request that comes again finds what it has done, as it was then, and is not guarded or decided again', async () => {
  const stream = newStream();
  const first = await stores.handle(workflow, stream, publish, request('r1'));
  await stores.handle(workflow, stream, assign('cmp_1'), request('r2'));
  const refuse = (): never => {
    throw new Error('stale');
  };
  const again = await stores.handle(workflow, stream, publish, request('r1'), { guard: refuse });
  assert.equal([again.repeated, again.events.length, again.state?.companies], [true, 1, []]);
  assert.equal(
    [again.revision, again.position, again.at, again.state],
    [first.revision, first.position, first.at, first.state],
  );
  assert.is((await stores.log.load(stream)).head?.revision, 1);
});

test('another request, another actor, and a context that does not say “once”, decide anew', async () => {
  const stream = newStream();
  const { once: _, ...often } = request('r1');
  for (const asked of [request('r1'), request('r2'), request('r1', 'key_2'), often]) {
    assert.is((await stores.handle(workflow, stream, publish, asked)).repeated, false);
  }
});

test('of the same request twice at once one decides, and both get its answer', async () => {
  const stream = newStream();
  const both = await Promise.all([1, 2].map(() => stores.handle(workflow, stream, publish, request('r1'))));
  assert.equal(both.map(({ repeated }) => repeated).sort(), [false, true]);
  assert.equal(both[0]?.state, both[1]?.state);
  assert.equal([both[0]?.revision, both[1]?.revision], [0, 0]);
});
