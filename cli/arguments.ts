import { MAX_OVERLAP_S } from '../domain/apiKey.ts';
import { MAX_SECRET_OVERLAP_S } from '../domain/webhookEndpoint.ts';
import { NAME_PATTERN } from '../kernel/nameMarks.ts';
import { companyRoles, roles } from '../kernel/scope.ts';
import { InvalidArgumentError } from './commandLine.ts';

/** A text of this form; throws `InvalidArgumentError` with what it must be, as all of these do. */
const matching =
  (form: RegExp, fault: string) =>
  (text: string): string => {
    if (form.test(text)) return text;
    throw new InvalidArgumentError(fault);
  };

/** One of these words; the shell completes them (`words`). */
export const oneOf = <T extends string>(words: readonly T[]) => {
  const parse = (text: string): T => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };
  return Object.assign(parse, { words });
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

/** An evaluation's identifier. */
export const evaluationId = matching(
  new RegExp(`^evl_${ULID}$`),
  'It must be evl_ and 26 lower-case characters. `intake evaluate` prints it.',
);

/** A submission's identifier or its session's. */
export const submissionId = matching(
  new RegExp(`^(sub|ses)_${ULID}$`),
  'It must be sub_ or ses_ and 26 lower-case characters.',
);

/** A submission by its identifier or its session's: gives the submission's. */
export const submission = (text: string): string => submissionId(text).replace(/^ses/, 'sub');
/** The same: gives the session's. */
export const session = (text: string): string => submissionId(text).replace(/^sub/, 'ses');

/** A webhook endpoint's identifier. */
export const endpointId = identifier('whe', 'endpoints');

/** A fraud match's identifier. */
export const matchId = matching(
  new RegExp(`^fm_${ULID}$`),
  'It must be fm_ and 26 lower-case characters. `intake matches list` shows them.',
);

/** A workflow's slug. */
export const slug = matching(
  /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/,
  'It must be a slug such as `receipt`. `intake workflow list` shows them.',
);

/** A version of a workflow. */
export const version = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be the number of a version, such as 2.');
};

/** An API key. */
export const KEY_FORM = /^aok_[0-9a-f]{64}$/;

/**
 * The address of a service, in the form that is stored and compared: without a slash at its end. Null for
 * what is not one: another protocol, a name and password in it, a query.
 */
export const addressOf = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && /^https?:$/.test(url.protocol) ? url.href.replace(/\/+$/, '') : null;
};

/** The address of a service. */
export const serviceUrl = (text: string): string => {
  const address = addressOf(text);
  if (address !== null) return address;
  throw new InvalidArgumentError('It must be an address such as https://intake.example.com.');
};

/** An address that gets webhooks: any that a developer chooses. */
export const forwardTo = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href;
  throw new InvalidArgumentError(
    'It must be an http or https address without credentials, such as http://localhost:4000/webhooks.',
  );
};

/** Some of these words, separated by commas; the shell completes the first (`words`). */
export const listOf = <T extends string>(words: readonly T[]) => {
  const one = oneOf(words);
  const parse = (text: string): readonly T[] => [...new Set(text.split(',').map((word) => one(word.trim())))];
  return Object.assign(parse, { words });
};

/** The name of a stored account. */
export const profile = matching(
  /^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/,
  'It must be up to 32 lower-case letters, digits and hyphens, such as `test`.',
);

const delivery = matching(
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[0-9a-z]{26})?$/,
  'It must be a UUID, of a delivery to an endpoint with a dot and the endpoint after it. `intake webhooks list` shows them.',
);

/** A delivery's identifier in lower case: that of its event, and of its endpoint if it goes to one. */
export const deliveryId = (text: string): string => delivery(text.toLowerCase());

/** A name for people: 1 to 128 characters on one line, without marks of direction. */
export const name = (text: string): string => {
  const trimmed = text.trim();
  if (trimmed.length <= 128 && new RegExp(NAME_PATTERN).test(trimmed)) return trimmed;
  throw new InvalidArgumentError('It must be 1 to 128 characters on one line, without marks of direction.');
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
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });
/** The values of `role`, for people. */
export const ROLES = `${either.format(companyRoles)} (of one company), or super_admin (of the platform)`;

/** A whole number within these bounds. */
const between =
  (least: number, most: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

/** How many items to show. */
export const limit = between(1, 10_000);
/** How long two secrets of an endpoint overlap, in seconds: 7 days at most. */
export const secretOverlap = between(0, MAX_SECRET_OVERLAP_S);
/** How long to wait, a day at most. */
export const seconds = between(1, 86_400);
/** Of how many submissions a set is drawn, and by what. */
export const setSize = between(1, 5_000);
export const seed = between(0, 999_999_999);
/** A workflow's version. */
export const versionNumber = between(1, 999_999_999);

const shareUpTo =
  (greatest: number, example: string) =>
  (text: string): number => {
    if (/^(0?\.\d{1,4}|1)$/.test(text) && Number(text) > 0 && Number(text) <= greatest) return Number(text);
    throw new InvalidArgumentError(`It must be a share from 0.0001 to ${greatest}, such as ${example}.`);
  };

/** A share that may be wrong, such as 0.01. */
export const share = shareUpTo(0.5, '0.01');
/** A share of what comes in; 1 is all. */
export const shadowShare = shareUpTo(1, '0.1');

/** The revision of a submission: gives its entity tag. */
export const revision = (text: string): string => `"${between(0, 999_999_999)(text)}"`;

/** A field and its value, such as total=12.50. */
export const assignment = (text: string): Readonly<Record<string, string>> => {
  const [, field, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (field !== undefined && value !== undefined) return { [field]: value };
  throw new InvalidArgumentError('It must be a field and its value, such as total=12.50.');
};

/** A member of metadata and its value. */
export const member = matching(/^[^=]+=/, 'It must be a name and its value, such as customer=4711.');

/** How long two keys overlap, in seconds: 30 days at most. */
export const overlap = (text: string): number => {
  if (/^\d{1,7}$/.test(text) && Number(text) <= MAX_OVERLAP_S) return Number(text);
  throw new InvalidArgumentError(`It must be a whole number of seconds from 0 to ${MAX_OVERLAP_S}.`);
};

/** A point in a stream's life: a revision, or a time (ISO 8601 in UTC with milliseconds). */
export type Point = Readonly<{ revision: number }> | Readonly<{ time: string }>;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A time with its zone, or how long ago it was, such as 2h; gives it in ISO 8601 in UTC with milliseconds.
 */
export const since = (text: string): string => {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const time = unit ? Date.now() - Number(count) * (MS[unit] ?? 0) : TIME.test(text) && Date.parse(text);
  if (typeof time === 'number' && !Number.isNaN(time)) return new Date(time).toISOString();
  throw new InvalidArgumentError(
    'It must be so long ago as 30m, 2h or 1d, or a time such as 2026-11-21T10:46:00Z.',
  );
};

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A time with its zone, or the begin of a day in UTC; gives it in ISO 8601 in UTC with milliseconds. */
export const time = (text: string): string => {
  const found = DAY.test(text) || TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(found)) return new Date(found).toISOString();
  throw new InvalidArgumentError(
    'It must be a day such as 2026-11-21, or a time such as 2026-11-21T10:46:00Z.',
  );
};

/** A host as addresses have it, in lower case. */
export const host = (text: string): string => text.toLowerCase();

/** A revision such as 3, or a time with its zone such as 2026-11-21T10:46:00Z. */
export const point = (text: string): Point => {
  if (/^\d{1,9}$/.test(text)) return { revision: Number(text) };
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return { time: new Date(time).toISOString() };
  throw new InvalidArgumentError(
    'It must be a revision such as 3, or a time with its zone such as 2026-11-21T10:46:00Z.',
  );
};
