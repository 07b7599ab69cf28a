import * as assert from 'uvu/assert';
import { type QueuePorts, queuePage } from '../../http/routes/queuePage.ts';
import { ReadModelNotBuilt } from '../../kernel/errors.ts';
import { suite } from '../harness.ts';

const test = suite('a page of the review queue');

const person = (companyId: string) =>
  ({ kind: 'person', userId: 'usr_1', companyId, mode: 'live' }) as unknown as Parameters<
    ReturnType<typeof queuePage>
  >[0];
const query = {
  ...{
    order: null,
    workflow: null,
    reason: null,
    fraudStatus: null,
    claimed: null,
    assigned: null,
    postponed: null,
    decidedSince: null,
    cursor: null,
  },
  limit: 20,
};

const emptyQueue = {
  page: async () => ({ items: [], next: null }),
  among: async () => [],
  countShared: async () => ({ assigned: 0, postponed: 0 }),
};
const around = {
  rows: async () => [],
  claims: { of: async () => new Map() },
  clock: { now: () => new Date() },
};

test('those who wait on a lane share one reading of its counts, each state anew', async () => {
  let position = '1';
  const counted: string[] = [];
  const page = queuePage({
    queue: {
      ...emptyQueue,
      counts: async ({ companyId }: { companyId: string }) => {
        counted.push(`${companyId} ${position}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { reasons: [], fraudStatuses: [] };
      },
    },
    counts: async () => ({ id: 'x', waiting: 0, workflows: {}, position }),
    ...around,
  } as unknown as QueuePorts);
  const asked = (companyId: string) => Array.from({ length: 20 }, () => page(person(companyId), query));
  const before = asked('cmp_1');
  await Promise.all([...before, ...asked('cmp_2')]);
  assert.equal(counted.splice(0), ['cmp_1 1', 'cmp_2 1']);
  const [first] = asked('cmp_1');
  await new Promise((resolve) => setTimeout(resolve, 2));
  position = '2';
  await Promise.all([first, ...asked('cmp_1')]);
  assert.equal(counted, ['cmp_1 1', 'cmp_1 2'], 'a reading of an earlier state is not shared');
});

test('the queue is there while what counts decisions is still being built', async () => {
  const page = queuePage({
    queue: { ...emptyQueue, counts: async () => ({ reasons: [], fraudStatuses: [] }) },
    counts: async () => null,
    countDecisions: () => Promise.reject(new ReadModelNotBuilt('activity')),
    ...around,
  } as unknown as QueuePorts);
  const { body } = await page(person('cmp_1'), { ...query, decidedSince: '2026-11-21T00:00:00.000Z' });
  assert.is(JSON.parse(body.toString()).counts.decided, null);
});
