import type { Role } from '../kernel/scope.ts';
import { roles } from '../kernel/scope.ts';
import { InvalidArgumentError } from './commandLine.ts';

const ULID = '[0-7][0-9a-hjkmnp-tv-z]{25}';

const identifier =
  (prefixes: readonly string[], listing: string | null) =>
  (text: string): string => {
    if (new RegExp(`^(${prefixes.join('|')})_${ULID}$`).test(text)) return text;
    const forms = prefixes.map((prefix) => `${prefix}_`).join(' or ');
    const where = listing === null ? '' : ` \`${listing}\` shows them.`;
    throw new InvalidArgumentError(`It must be ${forms} and 26 lower-case characters.${where}`);
  };

/** A company's identifier; throws `InvalidArgumentError` as all of these do. */
export const companyId = identifier(['cmp'], 'intake company list');

/** An API key's identifier, never the key itself. */
export const keyId = identifier(['key'], 'intake key list');

/** A user's identifier. */
export const userId = identifier(['usr'], 'intake user list');

/** An invitation's identifier, never its token. */
export const invitationId = identifier(['inv'], 'intake invite list');

/** A submission's identifier or its session's. */
export const submissionId = identifier(['sub', 'ses'], null);

/** A workflow's slug. */
export const slug = (text: string): string => {
  if (/^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a slug such as `receipt`. `intake workflow list` shows them.');
};

/** An event's identifier: a UUID in lower case. */
export const eventId = (text: string): string => {
  const id = text.toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw new InvalidArgumentError('It must be a UUID. `intake webhooks list` shows them.');
};

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

/** What an administrator may be. */
export const role = (text: string): Role => {
  const found = roles.find((one) => one === text);
  if (found) return found;
  throw new InvalidArgumentError(`It must be one of ${roles.join(', ')}.`);
};

/** How many items to show: 1 to 10,000. */
export const limit = (text: string): number => {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.');
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
