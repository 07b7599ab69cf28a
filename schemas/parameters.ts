import { USUAL_MAX_WRONG } from '../domain/evaluation/advice.ts';
import { DeliveryId, EventId, type Static, Time, type TSchema, Type, Version } from '../kernel/schema.ts';
import { compile } from './ajv.ts';
import { BatchRef } from './sessions.ts';

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
  /** What is wrong with a malformed text, where more can be said of it than the description; else null. */
  fault?(text: string): string | null;
}>;

/** A text parameter of the given form; null when absent. */
export const textParameter = <S extends TSchema>(
  schema: S,
  description: string,
): Parameter<Static<S> | null> => {
  const faults = compile(schema);
  const read = (text: string | null) =>
    text === null ? null : faults(text).length === 0 ? (text as Static<S>) : undefined;
  return { schema, description, malformed: 400, read };
};

/** The example of a time in descriptions. */
export const TIME_EXAMPLE = 'such as 2026-11-21T10:46:00Z';

/** A time, normalised to the form of stored times, which compare as text. */
export const timeParameter = (description: string): Parameter<string | null> => {
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

export const printable = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
});
export const identifier = (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9a-z]{26}$` });

export const slug = pathParameter(Type.String({ pattern: '^[a-z0-9-]{1,64}$' }), 404, "the workflow's slug");
export const sessionId = pathParameter(identifier('ses'), 404, "the session's identifier");
export const problemCode = pathParameter(
  Type.String({ pattern: '^[a-z-]{1,64}$' }),
  404,
  'the `code` of a problem',
);
export const guideName = pathParameter(
  Type.String({ pattern: '^[a-z-]{1,64}$' }),
  404,
  'the name of a guide',
);
export const searched = textParameter(Type.String({ maxLength: 200 }), 'words to look for');
export const submissionId = pathParameter(identifier('sub'), 404, "the submission's identifier");
export const redactionId = pathParameter(identifier('red'), 404, "the redaction's identifier");
export const evaluationId = pathParameter(identifier('evl'), 404, "the evaluation's identifier");
export const fileId = pathParameter(identifier('fil'), 404, "the file's identifier");
export const eventId = pathParameter(EventId, 404, "the event's identifier");
export const deliveryId = pathParameter(
  DeliveryId,
  404,
  "the delivery's `id`: that of its event, of one to an endpoint with a dot and the endpoint's after it",
);

/** A batch's name, without `.` and `..`, which clients resolve as path segments. */
export const BatchName = Type.String({ ...BatchRef, pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$' });

/** The form of a batch's name, for people. */
export const BATCH_NAME = '1 to 128 letters, digits, dots, hyphens and underscores';

/** A batch's name in a path: an impossible name is malformed, not unknown (requests-4). */
export const batchRef: Parameter<string> = {
  ...pathParameter(BatchName, 400, `the name that the client gave the batch: ${BATCH_NAME}`),
  personal: true,
};
export const companyId = pathParameter(identifier('cmp'), 404, "the company's identifier");
export const logInId = pathParameter(identifier('lgn'), 404, "the identifier of a person's session");
export const keyId = pathParameter(identifier('key'), 404, "the key's identifier");
export const endpointId = pathParameter(identifier('whe'), 404, "the webhook endpoint's identifier");
export const userId = pathParameter(identifier('usr'), 404, "the user's identifier");
export const invitationId = pathParameter(identifier('inv'), 404, "the invitation's identifier");
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

/** A page of a file: as a version, but that no such number is a 404. */
export const pageNumber: Parameter<number> = {
  ...version,
  schema: Type.Integer({ minimum: 1 }),
  description: "the page's number, an integer from 1",
  malformed: 404,
};

/** The width of a picture of a page in pixels: clamped to 64..2400, 1200 when absent. */
export const pictureWidth: Parameter<number> = {
  schema: Type.Integer({ minimum: 64, maximum: 2_400, default: 1_200 }),
  description: 'the width of the picture in pixels, an integer; clamped to 64..2400',
  malformed: 400,
  read: (text) => {
    if (text === null) return 1_200;
    return /^\d{1,9}$/.test(text) ? Math.min(2_400, Math.max(64, Number(text))) : undefined;
  },
};

/** The share of approvals without a person that may be wrong: from 0.0001 to 0.5, 0.01 when absent. */
export const maxWrong: Parameter<number> = {
  schema: Type.Number({ minimum: 0.0001, maximum: 0.5, default: USUAL_MAX_WRONG }),
  description: 'the share that may be wrong of what no person sees, from 0.0001 to 0.5',
  malformed: 400,
  read: (text) => {
    if (text === null) return USUAL_MAX_WRONG;
    const share = /^0?\.\d{1,4}$/.test(text) ? Number(text) : 0;
    return share > 0 && share <= 0.5 ? share : undefined;
  },
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

/** How long to wait, in seconds: clamped to 0..25, 0 when absent. */
const waiting = (description: string): Parameter<number> => ({
  schema: Type.Integer({ minimum: 0, maximum: 25, default: 0 }),
  description: `${description}, an integer; clamped to 0..25`,
  malformed: 400,
  read: (text) => {
    if (text === null) return 0;
    return /^-?\d+$/.test(text) ? Math.min(25, Math.max(0, Number(text))) : undefined;
  },
});

/** How long to wait until an answer is another than the client has. */
export const wait = waiting('with `If-None-Match`: how many seconds to wait for a change');

/** From when on the caller's own decisions are counted. */
export const decidedSince = timeParameter(
  `counts the decisions that the caller made at this time or later, ${TIME_EXAMPLE}`,
);

/** How long to wait for an event. */
export const waitForEvent = waiting('how many seconds to wait while there is no event');

const anyTime = timeParameter('a time');

/** Where a reader of the feed starts: `now`, or a time. */
export const feedStart: Parameter<string | null> = {
  schema: Type.String({ examples: ['now', '2026-11-21T10:46:00.000Z'] }),
  description: `without a cursor: \`now\` starts after the newest event, a time, ${TIME_EXAMPLE}, with the events from then on, with some of the ten seconds before`,
  malformed: 400,
  read: (text) => (text === 'now' ? text : anyTime.read(text)),
};

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

/** Of users whose names are asked for at once. */
const MAX_NAMES = 100;
const USER_IDS = new RegExp(`^usr_[0-9a-z]{26}(,usr_[0-9a-z]{26}){0,${MAX_NAMES - 1}}$`);

/** Users' identifiers, each once, in the order given; none when absent. */
export const userIds: Parameter<readonly string[]> = {
  schema: Type.String({ pattern: USER_IDS.source, examples: ['usr_01hv6x3m8q2r5t7w9y0a1b2c3d'] }),
  description: `up to ${MAX_NAMES} identifiers of users, separated by commas`,
  malformed: 400,
  read: (text) => {
    if (text === null) return [];
    return USER_IDS.test(text) ? [...new Set(text.split(','))] : undefined;
  },
};

/** Any text: what is not a token belongs to no invitation. */
export const invitationToken: Parameter<string | null> = {
  schema: Type.String(),
  description: "the invitation's token",
  malformed: 400,
  read: (text) => text,
};
