import { MAX_OVERLAP_S } from '../domain/apiKey.ts';
import { roles } from '../kernel/scope.ts';
import { InvalidArgumentError } from './commandLine.ts';

/** A text of this form; throws `InvalidArgumentError` with what it must be, as all of these do. */
const matching =
  (form: RegExp, fault: string) =>
  (text: string): string => {
    if (form.test(text)) return text;
    throw new InvalidArgumentError(fault);
  };

/** One of these words. */
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };

const ULID = '[0-7][0-9a-hjkmnp-tv-z]{25}';

/** An identifier with this prefix, which a command shows: never a key or a token itself. */
const identifier = (prefix: string, command: string) =>
  matching(
    new RegExp(`^${prefix}_${ULID}$`),
    `It must be ${prefix}_ and 26 lower-case characters. \`intake ${command} list\` shows them.`,
  );

/** A company's identifier. */
export const companyId = identifier('cmp', 'company');
/** An API key's identifier. */
export const keyId = identifier('key', 'key');
/** A user's identifier. */
export const userId = identifier('usr', 'user');
/** An invitation's identifier. */
export const invitationId = identifier('inv', 'invite');

/** A submission's identifier or its session's. */
export const submissionId = matching(
  new RegExp(`^(sub|ses)_${ULID}$`),
  'It must be sub_ or ses_ and 26 lower-case characters.',
);

/** A workflow's slug. */
export const slug = matching(
  /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/,
  'It must be a slug such as `receipt`. `intake workflow list` shows them.',
);

const uuid = matching(
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'It must be a UUID. `intake webhooks list` shows them.',
);

/** An event's identifier: a UUID, in lower case. */
export const eventId = (text: string): string => uuid(text.toLowerCase());

/** A name for people: 1 to 128 characters on one line. */
export const name = (text: string): string => {
  const trimmed = text.trim();
  if (trimmed.length >= 1 && trimmed.length <= 128 && !/\p{Cc}/u.test(trimmed)) return trimmed;
  throw new InvalidArgumentError('It must be 1 to 128 characters on one line.');
};

const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

/** An e-mail address, as the API's own schema takes it. */
export const email = (text: string): string => {
  const trimmed = text.trim();
  if (trimmed.length <= 254 && EMAIL.test(trimmed)) return trimmed;
  throw new InvalidArgumentError('It must be an e-mail address such as ann@example.com.');
};

/** What a person may be. */
export const role = oneOf(roles);

/** How many items to show: 1 to 10,000. */
export const limit = (text: string): number => {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.');
};

/** How long two keys overlap, in seconds: 30 days at most. */
export const overlap = (text: string): number => {
  if (/^\d{1,7}$/.test(text) && Number(text) <= MAX_OVERLAP_S) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number of seconds from 0 to ${MAX_OVERLAP_S}.`);
};

/** A point in a stream's life: a revision, or a time (ISO 8601 in UTC with milliseconds). */
export type Point = Readonly<{ revision: number }> | Readonly<{ time: string }>;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A revision such as 3, or a time with its zone such as 2026-11-21T10:46:00Z. */
export const point = (text: string): Point => {
  if (/^\d{1,9}$/.test(text)) return { revision: Number(text) };
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return { time: new Date(time).toISOString() };
  throw new InvalidArgumentError(
    'It must be a revision such as 3, or a time with its zone such as 2026-11-21T10:46:00Z.',
  );
};
