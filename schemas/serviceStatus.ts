import { meaning, nullable, type Of, oneOf, pageOf, record, Type, text, time } from '../kernel/schema.ts';
import { counted, NodeName, seconds } from './operations.ts';

/** The queues of due work by their names. */
export const QueueName = text('a queue, as `GET /operations/queues` names it');

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
  lease: text('what it is for: a loop, or an item of a queue'),
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
  roles: Type.Array(Type.String()),
  version: text('its release'),
  startedAt: time('when it started'),
  seenAt: time('when it last said that it runs, by its own clock'),
  stoppedAt: nullable(time('when it was stopped in order')),
});
export type NodeStatus = Of<typeof NodeStatus>;
export const NodeStatuses = pageOf(NodeStatus);

/** A row of GET /operations/parts (operations-20). */
export const PartStatus = Type.Object({
  node: NodeName,
  part: text('what readiness checks: `events`, `documents`, `objects`, `projections`, `start`'),
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
  part: Type.String(),
  from: time('when it was found'),
  until: nullable(time('when it had ended; null while it lasts')),
  readable: Type.Boolean({ description: 'whether the part could be read' }),
  detail: text('why it could not be used, as its last probe found it'),
});
export type Outage = Of<typeof Outage>;
export const Outages = pageOf(Outage);

const estimated =
  'estimated from a histogram; those that wait for a change are left out; null where there was none';

const figure = (description: string) => nullable(Type.Integer({ description }));

/** The figures of a minute. */
export const FiguresOfMinute = Type.Object({
  at: time('the beginning of the minute'),
  requests: figure('requests answered, but those of probes and those that watch the service'),
  problems: figure('answers of 500 and more'),
  submissions: figure('sessions submitted'),
  processed: figure('submissions processed'),
  decided: figure('submissions approved or rejected'),
  deliveries: figure('webhooks delivered'),
  failedDeliveries: figure('attempts of webhooks that failed'),
  p50Seconds: nullable(seconds(`the time that half of the requests took at most, ${estimated}`)),
  p99Seconds: nullable(seconds(`the time that 99 % of them took at most, ${estimated}`)),
  lagSeconds: nullable(seconds('how far the read models were behind at most')),
  queues: nullable(
    record(Type.Integer({ minimum: 0 }), 'the most items that each queue had, counted up to 10,000'),
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
