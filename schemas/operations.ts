import {
  closed,
  EventId,
  example,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  share,
  Type,
  text,
  time,
  whole,
} from '../kernel/schema.ts';

/** How many there are of something. */
export const counted = (description: string) => Type.Integer({ minimum: 0, description });
const STREAM = 'submission-01hv6x3m8q2r5t7w9y0a1b2c3d';
const POSITION = '0000000000004711';

/** A duration. */
export const seconds = (description: string, ...examples: readonly number[]) =>
  meaning(Type.Number({ minimum: 0 }), description, ...examples);
const ReadModelName = text('a read model, as `GET /operations/projections` names it', 'submissions');
/** A process of the service. */
export const NodeName = text('a process, as `GET /operations/nodes` names it', 'intake-1');

export const ReadModelState = oneOf(['live', 'outdated', 'absent', 'newer']);
export const ServedCollection = Type.Object({
  collection: example(Type.String(), 'submissions_v6'),
  version: example(Type.Integer(), 6),
});
export const ReadModelLag = Type.Object({
  events: counted('events that it has yet to handle, counted up to 10,000'),
  seconds: seconds('the age of the oldest of them'),
});
export const Rebuilding = Type.Object({
  collection: example(Type.String(), 'submissions_v7'),
  events: counted('events that were read for it so far'),
});

/** A row of GET /operations/projections (operations-16). */
export const ReadModelStatus = Type.Object({
  name: ReadModelName,
  state: meaning(
    ReadModelState,
    'whether this release’s version serves, one of an older or a newer release, or none yet',
  ),
  version: whole('the version that this release makes', 6),
  serves: nullable(ServedCollection),
  position: nullable(text('how far in the log it is; positions compare as text', POSITION)),
  lag: ReadModelLag,
  rate: Type.Number({ minimum: 0, description: 'events a second that it handled just now' }),
  quarantined: counted('documents that are quarantined'),
  rebuilding: nullable(Rebuilding),
});
export type ReadModelStatus = Of<typeof ReadModelStatus>;
export const ReadModelStatuses = pageOf(ReadModelStatus);

export const StartRebuild = closed({
  projections: Type.Array(Type.String({ minLength: 1, maxLength: 64, examples: ['submissions'] }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'the read models to rebuild, in one pass over the log',
  }),
  anew: optional(
    Type.Boolean({ description: 'begin at the first event, also where a cancelled rebuild could go on' }),
  ),
});

export const StartRetry = closed({
  document: optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description: 'the document to retry; all that are quarantined where it is absent',
    }),
  ),
});

export const TaskKind = oneOf(['rebuild', 'retry']);
export const TaskState = oneOf(['waiting', 'running', 'done', 'failed', 'cancelled']);
export const TaskStep = oneOf(['waiting', 'reading', 'swapping', 'dropping']);

/** How far a rebuild is. */
export const TaskProgress = Type.Object({
  step: meaning(
    TaskStep,
    'whether it waits for another rebuild, reads the log, compares and swaps, or drops what served before',
  ),
  events: counted('events that it has read'),
  total: counted('about how many there are'),
  share: share('the share of the log that it has read'),
});

/** What the comparison of a rebuild found. */
export const ComparedReadModel = Type.Object({
  projection: ReadModelName,
  before: nullable(counted('documents of what served before')),
  after: counted('documents of what was rebuilt'),
  sampled: counted('documents that were compared'),
  differing: counted('those of them that differ'),
});

/** What a retry came to. */
export const RetriedDocuments = Type.Object({
  released: counted('documents that go on'),
  held: counted('documents that threw again'),
});

/** A rebuild or a retry that a person asked for (operations-17). */
export const Task = Type.Object({
  taskId: id('tsk'),
  kind: TaskKind,
  projections: Type.Array(ReadModelName),
  document: nullable(text('the document of a retry; null: all')),
  anew: Type.Boolean(),
  state: TaskState,
  cancelling: Type.Boolean({ description: 'whether somebody has cancelled it' }),
  requestedBy: meaning(id('usr'), 'the person who asked for it'),
  requestedAt: time('when that was'),
  startedAt: nullable(time('when a process began it')),
  endedAt: nullable(time('when it ended')),
  node: nullable(NodeName),
  progress: nullable(TaskProgress),
  compared: Type.Array(ComparedReadModel),
  retried: nullable(RetriedDocuments),
  error: nullable(text('why it failed')),
});
export type Task = Of<typeof Task>;
export const Tasks = pageOf(Task);

/** A row of GET /operations/quarantined (operations-18). */
export const QuarantinedDocument = Type.Object({
  projection: ReadModelName,
  collection: example(Type.String(), 'submissions_v6'),
  document: text('its name within the read model', 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  eventId: meaning(EventId, 'the event that its projection threw on'),
  position: text('the position of that event: it is not folded from there on', POSITION),
  reason: text('what its projection threw', 'no submission to fold into'),
});
export type QuarantinedDocument = Of<typeof QuarantinedDocument>;
export const QuarantinedDocuments = pageOf(QuarantinedDocument);

export const ParkedReason = oneOf(['unknown-type', 'unknown-version', 'awaits-rebuild']);

/** A row of GET /operations/parked (operations-18). */
export const ParkedEvent = Type.Object({
  eventId: EventId,
  type: example(Type.String(), 'SubmissionApproved'),
  version: whole('the version of its data', 2),
  stream: example(Type.String(), STREAM),
  revision: Type.Integer(),
  position: example(Type.String(), POSITION),
  reason: meaning(
    ParkedReason,
    'what this release does not support; `awaits-rebuild`: it does by now, and a rebuild includes it by itself',
  ),
});
export type ParkedEvent = Of<typeof ParkedEvent>;
export const ParkedEvents = pageOf(ParkedEvent);

const reaction = {
  reactor: example(Type.String(), 'requestDeliveries'),
  eventId: meaning(EventId, 'the event that it did not answer'),
};

/** A row of GET /operations/reactions (operations-18). */
export const ReactionSetAside = Type.Object({
  ...reaction,
  stream: nullable(text('the stream of the event; null where an earlier release did not store it', STREAM)),
  position: example(Type.String(), POSITION),
  reason: text('the fault that it met last', 'connect ECONNREFUSED'),
});
export type ReactionSetAside = Of<typeof ReactionSetAside>;
export const ReactionsSetAside = pageOf(ReactionSetAside);

export const ReactionRetried = Type.Object({
  ...reaction,
  done: Type.Boolean({ description: 'whether it was done; it is set aside no longer' }),
  reason: nullable(text('the fault that it met again')),
});
export type ReactionRetried = Of<typeof ReactionRetried>;
