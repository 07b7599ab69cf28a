import { fraudStatuses } from '../domain/submission/fraud.ts';
import { statuses } from '../domain/submission/transitions.ts';
import { type WebhookEventType, webhookEventTypes } from '../domain/webhookEvents.ts';
import { EventId, oneOf, type Static, Time, type TSchema, Type, Version } from '../kernel/schema.ts';
import { compile } from './ajv.ts';
import { BatchRef, deliveryStatuses, SubmissionStatus } from './session.ts';

/**
 * A part of a path or a query: text until it is read. `read` gives undefined for a malformed one; an absent
 * query parameter is null, or its default. `malformed` is the answer to that: 404 for an identifier, since
 * one of another form is an unknown one (requests-8).
 */
export type Parameter<T> = Readonly<{
  schema: TSchema;
  description: string;
  malformed: 400 | 404;
  /** A name of the client's own, which may be anybody's: it is not logged. */
  personal?: true;
  read(text: string | null): T | undefined;
}>;

/** A text parameter of the given form; null when absent. */
const text = <S extends TSchema>(schema: S, description: string): Parameter<Static<S> | null> => {
  const faults = compile(schema);
  const read = (given: string | null) =>
    given === null ? null : faults(given).length === 0 ? (given as Static<S>) : undefined;
  return { schema, description, malformed: 400, read };
};

/** How a parameter's description shows a time. */
const A_TIME = 'such as 2026-11-21T10:46:00Z';

/** A time, read into the form that the service itself writes, so that it compares as text. */
const time = (description: string): Parameter<string | null> => {
  const { read, ...rest } = text(Time, description);
  return {
    ...rest,
    read: (given) => {
      const found = read(given);
      if (typeof found !== 'string') return found;
      const at = new Date(found);
      return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
    },
  };
};

/** A part of a path: always there, so never null. */
export const part = (schema: TSchema, malformed: 400 | 404, description: string): Parameter<string> => {
  const faults = compile(schema);
  const read = (given: string | null) => (given !== null && faults(given).length === 0 ? given : undefined);
  return { schema, description, malformed, read };
};

const printable = Type.String({ minLength: 1, maxLength: 512, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
const anyText = Type.String({ minLength: 1, maxLength: 512 });
const identifier = (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9a-z]{26}$` });

export const slug = part(Type.String({ pattern: '^[a-z0-9-]{1,64}$' }), 404, "the workflow's slug");
export const sessionId = part(identifier('ses'), 404, "the session's identifier");
export const problemCode = part(Type.String({ pattern: '^[a-z-]{1,64}$' }), 404, 'the `code` of a problem');
export const submissionId = part(identifier('sub'), 404, "the submission's identifier");
export const eventId = part(EventId, 404, "the event's identifier, which its deliveries bear too");

/** `.` and `..` are steps in a path, and no names. */
const BatchName = Type.String({ ...BatchRef, pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$' });

/** A batch's name in a path: one that no batch can have is malformed, not unknown (requests-4). */
export const batchRef: Parameter<string> = {
  ...part(
    BatchName,
    400,
    "the batch's name, as the client chose it: 1 to 128 letters, digits, dots, hyphens and underscores",
  ),
  personal: true,
};
export const matchId = part(identifier('fm'), 404, "the fraud match's identifier");

/** A version in a path: an integer from 1 (requests-4), of up to 15 digits, which are kept exactly. */
export const version: Parameter<number> = {
  schema: Version,
  description: "the version's number, an integer from 1",
  malformed: 400,
  read: (given) => (given !== null && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined),
};

/** How many items at most: an integer, clamped to 1..100, 20 when absent (paging-2). */
export const limit: Parameter<number> = {
  schema: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  description: 'how many items at most, an integer; clamped to 1..100',
  malformed: 400,
  read: (given) => {
    if (given === null) return 20;
    return /^-?\d+$/.test(given) ? Math.min(100, Math.max(1, Number(given))) : undefined;
  },
};

export const cursor = text(
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,2048}$' }),
  "a page's nextCursor, with the same filters",
);
export const workflow = text(
  printable,
  'only submissions of the workflow of this slug; an unknown one has none',
);
export const status = text(
  SubmissionStatus,
  `only submissions of this status, one of ${statuses.join(', ')}`,
);
export const fraudStatus = text(
  oneOf([...fraudStatuses, 'null']),
  `only submissions of this fraud status, one of ${fraudStatuses.join(', ')}, or null for those that have none`,
);
export const clientSubmissionId = text(anyText, 'only submissions that the client calls so');
export const batchRefFilter = text(
  BatchName,
  'only submissions of this batch: 1 to 128 letters, digits, dots, hyphens and underscores',
);
export const createdAfter = time(`only submissions created at this time or later, ${A_TIME}`);
export const createdBefore = time(`only submissions created before this time, ${A_TIME}`);

export const ofSession = text(printable, 'only those of this session');
export const deliveryStatus = text(
  oneOf(deliveryStatuses),
  `only deliveries of this status, one of ${deliveryStatuses.join(', ')}`,
);
export const eventType = text(
  oneOf(webhookEventTypes),
  `only those of this event type, one of ${webhookEventTypes.join(', ')}`,
);

const typeNames: readonly string[] = webhookEventTypes;

/** Event types with commas between them, in one order whatever the order they come in; null when absent. */
export const eventTypes: Parameter<readonly WebhookEventType[] | null> = {
  schema: Type.String({ examples: ['session.completed,session.failed'] }),
  description: `only events of these types, with commas between them, of ${webhookEventTypes.join(', ')}`,
  malformed: 400,
  read: (given) => {
    if (given === null) return null;
    const named = given.split(',');
    if (!named.every((name) => typeNames.includes(name))) return undefined;
    return webhookEventTypes.filter((type) => named.includes(type));
  },
};

/** A point in a submission's life: a revision, or a time. */
export const at: Parameter<Readonly<{ revision: number }> | Readonly<{ time: string }> | null> = {
  schema: Type.String({ examples: ['3', '2026-11-21T10:46:00.000Z'] }),
  description: `as it was at this revision (a number from 0) or at this time, ${A_TIME}`,
  malformed: 400,
  read: (given) => {
    if (given !== null && /^\d{1,9}$/.test(given)) return { revision: Number(given) };
    const found = anyTime.read(given);
    return typeof found === 'string' ? { time: found } : found;
  },
};

const anyTime = time('a time');

/** Any text at all: what is no token is one of an invitation that there never was. */
export const invitationToken: Parameter<string | null> = {
  schema: Type.String(),
  description: "the invitation's token",
  malformed: 400,
  read: (given) => given,
};
