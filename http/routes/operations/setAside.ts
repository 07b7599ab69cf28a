import { pick } from '../../../kernel/pick.ts';
import { publicReason } from '../../../kernel/scrub.ts';
import type { Parked } from '../../../projections/engine/parked.ts';
import type { QuarantinedDocument } from '../../../projections/engine/quarantine.ts';
import { projectionFilter, reactor, reactorFilter } from '../../../schemas/operationParameters.ts';
import {
  type ParkedEvent,
  ParkedEvents,
  QuarantinedDocuments,
  ReactionRetried,
  ReactionsSetAside,
} from '../../../schemas/operations.ts';
import { cursor, eventId, limit } from '../../../schemas/parameters.ts';
import { NoMembers } from '../../../schemas/sessions.ts';
import type { RowPage } from '../../../stores/documents/rows.ts';
import { Problem } from '../../engine/problems/problem.ts';
import { keyedPageOf } from '../../engine/request/paging.ts';
import { type Route, route } from '../../engine/route.ts';

/** A reaction that was given up; `stream` is not known of those of earlier releases. */
type SetAside = Readonly<{
  reactor: string;
  eventId: string;
  position: string;
  stream?: string;
  error: string;
}>;

type Page<R> = Promise<RowPage<R>>;

export type SetAsidePorts = Readonly<{
  quarantined(projection: string | null, limit: number, after: string | null): Page<QuarantinedDocument>;
  parked(limit: number, after: string | null): Page<Parked>;
  /** Which versions of an event's data this release can read. */
  catalogue(): Promise<Readonly<{ canRead(type: string, schema: number): boolean }>>;
  reactions(reactor: string | null, limit: number, after: string | null): Page<SetAside>;
  /** Does a reaction, or gives the fault that it met; null when it is not set aside. */
  retryReaction(reactor: string, eventId: string): Promise<Readonly<{ error: string | null }> | null>;
}>;

/** What stands still until somebody looks after it, with its reason (operations-18). */
export const setAsideRoutes = (ports: SetAsidePorts): readonly Route[] => [
  route({
    name: 'listQuarantined',
    summary: 'List the documents that are quarantined, since their projection threw',
    description: 'Such a document is as it was before the event that its projection threw on; others go on.',
    method: 'GET',
    path: '/api/v1/operations/quarantined',
    access: 'operations.manage',
    query: { projection: projectionFilter, cursor, limit },
    answers: { 200: QuarantinedDocuments },
  })({
    run: async ({ query }) => {
      const { projection } = query;
      const scope = { list: 'quarantined', projection };
      const read = (limit: number, after: string | null) => ports.quarantined(projection, limit, after);
      return { status: 200, body: await keyedPageOf(query, scope, read, quarantinedOf) };
    },
  }),
  route({
    name: 'listParked',
    summary: 'List the events that this release does not support, oldest first',
    description:
      'Nothing is folded of them. A release that supports them rebuilds what they belong to by itself.',
    method: 'GET',
    path: '/api/v1/operations/parked',
    access: 'operations.manage',
    query: { cursor, limit },
    answers: { 200: ParkedEvents },
  })({
    run: async ({ query }) => {
      const { canRead } = await ports.catalogue();
      const present = (event: Parked) => parkedOf(event, canRead);
      return { status: 200, body: await keyedPageOf(query, { list: 'parked' }, ports.parked, present) };
    },
  }),
  route({
    name: 'listReactions',
    summary: 'List the reactions that were set aside, since they failed for five minutes',
    description: 'Each can be retried by `POST /operations/reactions/{reactor}/{eventId}/retry`.',
    method: 'GET',
    path: '/api/v1/operations/reactions',
    access: 'operations.manage',
    query: { reactor: reactorFilter, cursor, limit },
    answers: { 200: ReactionsSetAside },
  })({
    run: async ({ query }) => {
      const scope = { list: 'reactions', reactor: query.reactor };
      const read = (limit: number, after: string | null) => ports.reactions(query.reactor, limit, after);
      return { status: 200, body: await keyedPageOf(query, scope, read, reactionOf) };
    },
  }),
  route({
    name: 'retryReaction',
    summary: 'Do a reaction that was set aside',
    description: 'One that fails again stays set aside: `done` is false, and `reason` says why.',
    method: 'POST',
    path: '/api/v1/operations/reactions/{reactor}/{eventId}/retry',
    access: 'operations.manage',
    parameters: { reactor, eventId },
    body: NoMembers,
    answers: { 200: ReactionRetried },
  })({
    run: async ({ parameters }) => {
      const retried = await ports.retryReaction(parameters.reactor, parameters.eventId);
      if (retried === null) throw new Problem('not-found');
      const { error } = retried;
      const reason = error && publicReason(error);
      return { status: 200, body: { ...parameters, done: error === null, reason } };
    },
  }),
];

const quarantinedOf = ({ key: document, error, ...row }: QuarantinedDocument) => ({
  ...pick(row, 'projection', 'collection', 'eventId', 'position'),
  document,
  reason: publicReason(error),
});

const parkedOf = (
  { id: eventId, schema, ...row }: Parked,
  canRead: (type: string, schema: number) => boolean,
): ParkedEvent => ({
  eventId,
  version: schema,
  ...pick(row, 'type', 'stream', 'revision', 'position'),
  reason: reasonOf(canRead, row.type, schema),
});

const reasonOf = (
  canRead: (type: string, schema: number) => boolean,
  type: string,
  schema: number,
): ParkedEvent['reason'] => {
  if (canRead(type, schema)) return 'awaits-rebuild';
  return canRead(type, 1) ? 'unknown-version' : 'unknown-type';
};

const reactionOf = ({ error, stream, ...row }: SetAside) => ({
  ...pick(row, 'reactor', 'eventId', 'position'),
  stream: stream ?? null,
  reason: publicReason(error),
});
