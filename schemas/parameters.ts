import { fraudStatuses } from '../domain/submission/fraud.ts';
import { statuses } from '../domain/submission/transitions.ts';
import { type WebhookEventType, webhookEventTypes } from '../domain/webhookEvents.ts';
import { EventId, oneOf, type Static, Time, type TSchema, Type, Version } from '../kernel/schema.ts';
import { compile } from './ajv.ts';
import { BatchRef, deliveryStatuses, SubmissionStatus } from './sessions.ts';

/**
 * A path or query parameter. `read` parses its text, null where it is absent; it gives undefined for a
 * malformed one. A malformed identifier is a 404 like an unknown one (requests-8).
 */
export type Parameter<T> = Readonly<{
  schema: TSchema;
  description: string;
  malformed: 400 | 404;
  /** A name that the client chose, which may be personal data: it is not logged. */
  personal?: true;
  read(text: string | null): T | undefined;
}>;

/** A text parameter of the given form; null when absent. */
const textParameter = <S extends TSchema>(schema: S, description: string): Parameter<Static<S> | null> => {
  const faults = compile(schema);
  const read = (text: string | null) =>
    text === null ? null : faults(text).length === 0 ? (text as Static<S>) : undefined;
  return { schema, description, malformed: 400, read };
};

/** The example of a time in descriptions. */
const TIME_EXAMPLE = 'such as 2026-11-21T10:46:00Z';

/** A time, normalised to the form of stored times, which compare as text. */
const timeParameter = (description: string): Parameter<string | null> => {
  const { read, ...rest } = textParameter(Time, description);
  return {
    ...rest,
    read: (text) => {
      const found = read(text);
      if (typeof found !== 'string') return found;
      const at = new Date(found);
      return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
    },
  };
};

/** A path parameter, which is never absent. */
export const pathParameter = (
  schema: TSchema,
  malformed: 400 | 404,
  description: string,
): Parameter<string> => {
  const faults = compile(schema);
  const read = (text: string | null) => (text !== null && faults(text).length === 0 ? text : undefined);
  return { schema, description, malformed, read };
};

const printable = Type.String({ minLength: 1, maxLength: 512, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
const anyText = Type.String({ minLength: 1, maxLength: 512 });
const identifier = (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9a-z]{26}$` });

export const slug = pathParameter(Type.String({ pattern: '^[a-z0-9-]{1,64}$' }), 404, "the workflow's slug");
export const sessionId = pathParameter(identifier('ses'), 404, "the session's identifier");
export const problemCode = pathParameter(
  Type.String({ pattern: '^[a-z-]{1,64}$' }),
  404,
  'the `code` of a problem',
);
export const submissionId = pathParameter(identifier('sub'), 404, "the submission's identifier");
export const eventId = pathParameter(EventId, 404, "the event's identifier, which its delivery has too");

/** Without `.` and `..`, which clients resolve as path segments. */
const BatchName = Type.String({ ...BatchRef, pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$' });

const BATCH_NAME = '1 to 128 letters, digits, dots, hyphens and underscores';

/** A batch's name in a path: an impossible name is malformed, not unknown (requests-4). */
export const batchRef: Parameter<string> = {
  ...pathParameter(BatchName, 400, `the name that the client gave the batch: ${BATCH_NAME}`),
  personal: true,
};
export const matchId = pathParameter(identifier('fm'), 404, "the fraud match's identifier");

/**
 * A version in a path: an integer from 1 (requests-4), with up to 15 digits, which a double keeps exactly.
 */
export const version: Parameter<number> = {
  schema: Version,
  description: "the version's number, an integer from 1",
  malformed: 400,
  read: (text) => (text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined),
};

/** The page size: an integer, clamped to 1..100, 20 when absent (paging-2). */
export const limit: Parameter<number> = {
  schema: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  description: 'the maximum number of items, an integer; clamped to 1..100',
  malformed: 400,
  read: (text) => {
    if (text === null) return 20;
    return /^-?\d+$/.test(text) ? Math.min(100, Math.max(1, Number(text))) : undefined;
  },
};

export const cursor = textParameter(
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,2048}$' }),
  'the nextCursor of the page before, with the same filters',
);

/** The filters of GET /submissions. */
export const submissionFilters = {
  workflow: textParameter(printable, 'only submissions of the workflow with this slug'),
  status: textParameter(SubmissionStatus, `only submissions of this status, one of ${statuses.join(', ')}`),
  fraudStatus: textParameter(
    oneOf([...fraudStatuses, 'null']),
    `only submissions of this fraud status, one of ${fraudStatuses.join(', ')}, or null for those without one`,
  ),
  clientSubmissionId: textParameter(anyText, 'only submissions with this clientSubmissionId'),
  batchRef: textParameter(BatchName, `only submissions of this batch: ${BATCH_NAME}`),
  createdAfter: timeParameter(`only submissions created at this time or later, ${TIME_EXAMPLE}`),
  createdBefore: timeParameter(`only submissions created before this time, ${TIME_EXAMPLE}`),
};

/** The filters of GET /webhook-deliveries. */
export const deliveryFilters = {
  sessionId: textParameter(printable, 'only deliveries of this session'),
  status: textParameter(
    oneOf(deliveryStatuses),
    `only deliveries of this status, one of ${deliveryStatuses.join(', ')}`,
  ),
  eventType: textParameter(
    oneOf(webhookEventTypes),
    `only deliveries of this event type, one of ${webhookEventTypes.join(', ')}`,
  ),
};

/** Comma-separated event types, in a fixed order; null when absent. */
export const eventTypes: Parameter<readonly WebhookEventType[] | null> = {
  schema: Type.String({ examples: ['session.completed,session.failed'] }),
  description: `only events of these types, separated by commas: ${webhookEventTypes.join(', ')}`,
  malformed: 400,
  read: (text) => {
    if (text === null) return null;
    const named = text.split(',');
    const types = webhookEventTypes.filter((type) => named.includes(type));
    return types.length === new Set(named).size ? types : undefined;
  },
};

const anyTime = timeParameter('a time');

/** A point in a submission's life: a revision, or a time. */
export const at: Parameter<Readonly<{ revision: number }> | Readonly<{ time: string }> | null> = {
  schema: Type.String({ examples: ['3', '2026-11-21T10:46:00.000Z'] }),
  description: `the submission at this revision (a number from 0) or at this time, ${TIME_EXAMPLE}`,
  malformed: 400,
  read: (text) => {
    if (text !== null && /^\d{1,9}$/.test(text)) return { revision: Number(text) };
    const found = anyTime.read(text);
    return typeof found === 'string' ? { time: found } : found;
  },
};

/** Any text: what is not a token belongs to no invitation. */
export const invitationToken: Parameter<string | null> = {
  schema: Type.String(),
  description: "the invitation's token",
  malformed: 400,
  read: (text) => text,
};
