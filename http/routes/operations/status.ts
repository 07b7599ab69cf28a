import type { Clock } from '../../../kernel/clock.ts';
import { FAILING_DAYS } from '../../../projections/failingReceivers.ts';
import { queueFilter } from '../../../schemas/operationParameters.ts';
import { cursor, limit } from '../../../schemas/parameters.ts';
import {
  Figures,
  type Lease,
  Leases,
  type NodeStatus,
  NodeStatuses,
  type Outage,
  Outages,
  type PartStatus,
  PartStatuses,
  type QueueStatus,
  QueueStatuses,
} from '../../../schemas/serviceStatus.ts';
import {
  type CompanyFailingReceiver,
  CompanyFailingReceivers,
  MAX_COUNTED,
} from '../../../schemas/webhooks.ts';
import type { Held } from '../../../stores/documents/port.ts';
import type { RowPage } from '../../../stores/documents/rows.ts';
import { malformed } from '../../engine/problems/problem.ts';
import { keyedPageOf, wholeList } from '../../engine/request/paging.ts';
import { type Route, route } from '../../engine/route.ts';

export type StatusPorts = Readonly<{
  clock: Clock;
  queueNames: readonly string[];
  queues(): Promise<readonly QueueStatus[]>;
  /** The leases of the loops. */
  loops(): Promise<readonly Held[]>;
  /** Those of work under way in a queue, by name. */
  work(queue: string, limit: number, after: string | null): Promise<RowPage<Held>>;
  failing(): Promise<readonly CompanyFailingReceiver[]>;
  nodes(): Promise<readonly NodeStatus[]>;
  parts(requestId: string): Promise<readonly PartStatus[]>;
  outages(): Promise<readonly Outage[]>;
  figures(): Promise<Figures>;
}>;

/** How the service runs (operations-19, operations-20, operations-21, deliveries-21). */
export const statusRoutes = (ports: StatusPorts): readonly Route[] => [
  route({
    name: 'listQueues',
    summary: 'List the queues of due work: depth, age of the oldest due item, what is under way',
    description: 'Counted up to a limit, at the stores.',
    method: 'GET',
    path: '/api/v1/operations/queues',
    access: 'operations.manage',
    answers: { 200: QueueStatuses },
  })({ run: async () => ({ status: 200, body: wholeList(await ports.queues()) }) }),
  leaseRoute(ports),
  route({
    name: 'listFailingReceiversOfAll',
    summary: 'List the receivers of failed webhook deliveries of all companies, most first',
    description: `By company and mode, of the newest ${MAX_COUNTED} of the last ${FAILING_DAYS} days that have failed and were not sent again, without those whose address is not kept any more.`,
    method: 'GET',
    path: '/api/v1/operations/failing-receivers',
    access: 'operations.manage',
    answers: { 200: CompanyFailingReceivers },
  })({ run: async () => ({ status: 200, body: wholeList(await ports.failing()) }) }),
  route({
    name: 'listNodes',
    summary: 'List the processes of the last hour, newest first: roles, release, whether they run',
    description: 'A process that has not said for 30 seconds that it runs is silent.',
    method: 'GET',
    path: '/api/v1/operations/nodes',
    access: 'operations.manage',
    answers: { 200: NodeStatuses },
  })({ run: async () => ({ status: 200, body: wholeList(await ports.nodes()) }) }),
  route({
    name: 'listParts',
    summary: 'List whether each part of the service can be used, and since when',
    description:
      'The process that answers checks its parts, as `GET /health/ready` does. Of the other processes it is what they found last, some ten seconds ago.',
    method: 'GET',
    path: '/api/v1/operations/parts',
    access: 'operations.manage',
    answers: { 200: PartStatuses },
  })({ run: async ({ requestId }) => ({ status: 200, body: wholeList(await ports.parts(requestId)) }) }),
  route({
    name: 'listOutages',
    summary: 'List the last outages of parts that each process has seen, newest first',
    description: 'With what could not be used, and since when.',
    method: 'GET',
    path: '/api/v1/operations/outages',
    access: 'operations.manage',
    answers: { 200: Outages },
  })({ run: async () => ({ status: 200, body: wholeList(await ports.outages()) }) }),
  route({
    name: 'getFigures',
    summary: 'Get the figures of the last hour, minute by minute, of all processes',
    description: 'Requests, submissions, deliveries, times and lags; null where nobody counted.',
    method: 'GET',
    path: '/api/v1/operations/figures',
    access: 'operations.manage',
    answers: { 200: Figures },
  })({ run: async () => ({ status: 200, body: await ports.figures() }) }),
];

const leaseRoute = ({ clock, queueNames, loops, work }: StatusPorts): Route =>
  route({
    name: 'listLeases',
    summary: 'List who holds which lease until when, by name',
    description: 'A loop or an item of a queue belongs to the process that holds its lease.',
    method: 'GET',
    path: '/api/v1/operations/leases',
    access: 'operations.manage',
    query: { queue: queueFilter, cursor, limit },
    answers: { 200: Leases },
  })({
    run: async ({ query }) => {
      const { queue } = query;
      const now = clock.now().getTime();
      const present = (lease: Held) => leaseOf(lease, now);
      if (queue === null) return { status: 200, body: wholeList((await loops()).map(present)) };
      if (!queueNames.includes(queue))
        throw malformed([
          { pointer: '/query/queue', detail: `queue must be one of ${queueNames.join(', ')}` },
        ]);
      const read = (limit: number, after: string | null) => work(queue, limit, after);
      return { status: 200, body: await keyedPageOf(query, { list: 'leases', queue }, read, present) };
    },
  });

const leaseOf = ({ lease, owner, remainingMs }: Held, now: number): Lease => ({
  lease,
  owner,
  until: new Date(now + remainingMs).toISOString(),
  remainingSeconds: remainingMs / 1_000,
});
