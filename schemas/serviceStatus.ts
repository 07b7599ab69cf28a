import {
  example,
  meaning,
  nullable,
  type Of,
  oneOf,
  pageOf,
  record,
  seldom,
  Type,
  text,
  time,
} from '../kernel/schema.ts';
import { counted, NodeName, seconds } from './operations.ts';

/** The queues of due work by their names. */
export const QueueName = text('a queue, as `GET /operations/queues` names it', 'processing');

/** A row of GET /operations/queues (operations-19). */
export const QueueStatus = Type.Object({
  queue: QueueName,
  items: counted('what waits or is under way, counted up to 10,000'),
  due: counted('what of that is due, likewise'),
  oldestDueAt: nullable(time('when the oldest of these fell due')),
  oldestDueSeconds: seconds('for how long it has been due'),
  inProgress: counted('what is under way on all nodes, counted up to 1,000'),
});
export type QueueStatus = Of<typeof QueueStatus>;
export const QueueStatuses = pageOf(QueueStatus);

/** A row of GET /operations/leases (operations-19). */
export const Lease = Type.Object({
  lease: text(
    'what it is for: a loop, or an item of a queue',
    'deliveryQueue/01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b',
  ),
  owner: NodeName,
  until: time('until when it is held unless it is renewed'),
  remainingSeconds: seconds('how long that is, by the clock of the store'),
});
export type Lease = Of<typeof Lease>;
export const Leases = pageOf(Lease);

export const NodeState = oneOf(['running', 'silent', 'stopped']);

/** A row of GET /operations/nodes (operations-19). */
export const NodeStatus = Type.Object({
  node: NodeName,
  state: meaning(NodeState, 'whether it runs; `silent`: it has not said so for more than 30 seconds'),
  roles: Type.Array(example(Type.String(), 'api')),
  version: text('its release', '0.1.0'),
  startedAt: time('when it started'),
  seenAt: time('when it last said that it runs, by its own clock'),
  stoppedAt: seldom(time('when it was stopped in order')),
});
export type NodeStatus = Of<typeof NodeStatus>;
export const NodeStatuses = pageOf(NodeStatus);

/** A row of GET /operations/parts (operations-20). */
export const PartStatus = Type.Object({
  node: NodeName,
  part: text('what readiness checks: `events`, `documents`, `objects`, `projections`, `start`', 'documents'),
  available: Type.Boolean(),
  readable: Type.Boolean({ description: 'whether it can be read at least' }),
  since: nullable(time('since when that is so; null: since the start of the process, or unknown')),
  detail: nullable(text('why it can’t be used')),
});
export type PartStatus = Of<typeof PartStatus>;
export const PartStatuses = pageOf(PartStatus);

/** A row of GET /operations/outages (operations-20). */
export const Outage = Type.Object({
  node: NodeName,
  part: example(Type.String(), 'documents'),
  from: time('when it was found'),
  until: nullable(time('when it had ended; null while it lasts')),
  readable: Type.Boolean({ description: 'whether the part could be read' }),
  detail: text('why it could not be used, as its last probe found it', 'connect ECONNREFUSED'),
});
export type Outage = Of<typeof Outage>;
export const Outages = pageOf(Outage);

const estimated =
  'estimated from a histogram; those that wait for a change are left out; null where there was none';

const figure = (description: string, example: number) =>
  nullable(Type.Integer({ description, examples: [example] }));

/** The figures of a minute. */
export const FiguresOfMinute = Type.Object({
  at: time('the beginning of the minute'),
  requests: figure('requests answered, but those of probes and those that watch the service', 120),
  problems: figure('answers of 500 and more', 0),
  submissions: figure('sessions submitted', 4),
  processed: figure('submissions processed', 4),
  decided: figure('submissions approved or rejected', 1),
  deliveries: figure('webhooks delivered', 4),
  failedDeliveries: figure('attempts of webhooks that failed', 0),
  p50Seconds: nullable(seconds(`the time that half of the requests took at most, ${estimated}`, 0.02)),
  p99Seconds: nullable(seconds(`the time that 99 % of them took at most, ${estimated}`, 0.09)),
  lagSeconds: nullable(seconds('how far the read models were behind at most', 0.2)),
  queues: nullable(
    record(Type.Integer({ minimum: 0 }), 'the most items that each queue had, counted up to 10,000', {
      processing: 3,
    }),
  ),
});

/** GET /operations/figures (operations-21). */
export const Figures = Type.Object({
  nodes: counted('how many processes these are of, also those that have ended since'),
  minutes: Type.Array(FiguresOfMinute, {
    description: 'the last 60 minutes, oldest first; the last one is still counted',
  }),
});
export type Figures = Of<typeof Figures>;
