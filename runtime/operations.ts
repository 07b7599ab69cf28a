import type { Route } from '../http/engine/route.ts';
import type { Readiness } from '../http/routes/health.ts';
import { projectionRoutes } from '../http/routes/operations/projections.ts';
import { setAsideRoutes } from '../http/routes/operations/setAside.ts';
import { type StatusPorts, statusRoutes } from '../http/routes/operations/status.ts';
import { shared } from '../kernel/once.ts';
import { pick } from '../kernel/pick.ts';
import { queues } from '../projections/all.ts';
import { parkedPage } from '../projections/engine/parked.ts';
import { isQuarantined, quarantinedPage } from '../projections/engine/quarantine.ts';
import { createStatusReader } from '../projections/engine/status.ts';
import { failingReceivers } from '../projections/failingReceivers.ts';
import { queueStatus, workLeases, workUnderWay } from '../projections/queueStatus.ts';
import { retrySetAside, setAsidePage } from '../reactors/engine/setAside.ts';
import type { PartStatus } from '../schemas/serviceStatus.ts';
import { loopLeases } from '../stores/documents/lease.ts';
import { addFigures } from '../telemetry/figures.ts';
import { type NodeRow, type Nodes, nodeState } from '../telemetry/nodes.ts';
import { type ReactorCore, reactorsOf } from './loops.ts';
import type { Core } from './wire.ts';

/** What this process knows of itself and of the others. */
export type OperationPorts = Readonly<{ readiness: Readiness; nodes: Nodes }>;

type OperationCore = ReactorCore &
  Pick<
    Core,
    | 'clock'
    | 'owner'
    | 'documents'
    | 'deliveries'
    | 'projections'
    | 'tasks'
    | 'catalogue'
    | 'closing'
    | 'report'
  >;

/** The routes of the console's operations screen. */
export const operationRoutes = (core: OperationCore, ports: OperationPorts): readonly Route[] => {
  const { log, documents, projections, tasks, catalogue, closing, report } = core;
  const { tables, models } = documents;
  return [
    ...projectionRoutes({
      names: projections.map(({ name }) => name),
      // One reading serves all who ask at the same time: of read models far behind it takes a while.
      status: shared(createStatusReader(core)),
      tasks,
      isQuarantined: async (name, key) => isQuarantined(tables, await models.alias(name), key),
    }),
    ...setAsideRoutes({
      quarantined: (...page) => quarantinedPage(tables, ...page),
      parked: (...page) => parkedPage(tables, ...page),
      catalogue,
      reactions: (...page) => setAsidePage(tables, ...page),
      retryReaction: retrySetAside({
        ...{ log, tables, reactors: reactorsOf(core), signal: closing },
        failed: (err, facts) => report.error('a reaction that was set aside failed again', { ...facts, err }),
      }),
    }),
    ...statusRoutes({
      ...queuePorts(core),
      failing: () => failingReceivers(core.deliveries)({}, core.clock.now()),
      ...nodePorts(core, ports),
    }),
  ];
};

const queuePorts = ({
  clock,
  documents: { models, leases },
}: Pick<Core, 'clock' | 'documents'>): Pick<
  StatusPorts,
  'clock' | 'queueNames' | 'queues' | 'loops' | 'work'
> => ({
  clock,
  queueNames: Object.keys(queues),
  queues: async () => {
    const found = Object.entries(await queueStatus(models, clock.now()));
    const inProgress = (queue: string) => workUnderWay(leases, queue as keyof typeof queues);
    return Promise.all(
      found.map(async ([queue, status]) => ({ queue, ...status, inProgress: await inProgress(queue) })),
    );
  },
  loops: () => loopLeases(leases),
  work: async (queue, limit, after) => {
    const prefix = workLeases(queue as keyof typeof queues);
    const found = await leases.held(prefix, { limit: limit + 1, after: after ?? '' });
    const items = found.slice(0, limit);
    return { items, next: found[limit] ? (items.at(-1)?.lease ?? null) : null };
  },
});

const nodePorts = (
  { clock, owner }: Pick<Core, 'clock' | 'owner'>,
  { readiness, nodes }: OperationPorts,
): Pick<StatusPorts, 'nodes' | 'parts' | 'outages' | 'figures'> => ({
  nodes: async () => {
    const [rows, now] = [await nodes.all(), clock.now()];
    return rows.map((row) => ({
      ...pick(row, 'node', 'roles', 'version', 'startedAt', 'seenAt', 'stoppedAt'),
      state: nodeState(row, now),
    }));
  },
  parts: async (requestId) => {
    // First: this process's own row then says what was found just now.
    const checks = await readiness(requestId);
    const rows = (await nodes.all()).filter(({ stoppedAt }) => stoppedAt === null);
    return rows.flatMap((row) => (row.node === owner ? ownParts(row, checks) : partsOf(row)));
  },
  outages: async () => {
    const found = (await nodes.all()).flatMap(({ node, outages }) =>
      outages.map((outage) => ({ node, ...outage })),
    );
    return found.sort((a, b) => (a.from > b.from ? -1 : 1)).slice(0, MAX_OUTAGES);
  },
  figures: async () => {
    const rows = await nodes.all();
    const counting = rows.filter(({ minutes }) => minutes.length > 0);
    const minutes = counting.map((row) => row.minutes);
    return { nodes: counting.length, minutes: addFigures(minutes, clock.now()) };
  },
});

const MAX_OUTAGES = 200;

const partsOf = ({ node, parts }: NodeRow): readonly PartStatus[] => parts.map((part) => ({ node, ...part }));

/** The checks of this process's readiness; those of parts with since when that is so. */
const ownParts = ({ node, parts }: NodeRow, checks: Awaited<ReturnType<Readiness>>): readonly PartStatus[] =>
  checks.map(({ name: part, ok: available, detail }) => {
    const known = parts.find((one) => one.part === part && one.available === available);
    return {
      node,
      part,
      available,
      readable: known?.readable ?? available,
      since: known?.since ?? null,
      detail,
    };
  });
