import { type Open, REDACTED, reveal } from '../../kernel/event.ts';
import {
  anyObject,
  example,
  meaning,
  nullable,
  type OfMembers,
  optional,
  Type,
  text,
} from '../../kernel/schema.ts';

export const ClientSubmissionId = Type.String({ minLength: 1, maxLength: 128, examples: ['order-4711'] });
const METADATA = { department: 'sales' };

/**
 * What a client says of a submission when it opens the session, and gets back in answers, webhooks, syncs and
 * evidence: as it is sent, stored and given back, and what is given back once it is redacted. A member that
 * is added is `Type.Optional` in `event`: earlier events lack it.
 */
export const echoed = {
  clientSubmissionId: {
    request: optional(meaning(ClientSubmissionId, 'your identifier; echoed')),
    event: nullable(text('the client’s name for it')),
    answer: nullable(example(Type.String(), 'order-4711')),
    redacted: REDACTED,
  },
  metadata: {
    request: optional(
      anyObject(
        'echoed; up to 16 KiB of JSON, nested up to 32 levels. In test mode `intake:outcome` (a submissionStatus) and `intake:fraud` (a fraudStatus) force the outcome',
        METADATA,
      ),
    ),
    event: nullable(anyObject('the client’s own')),
    answer: nullable(anyObject('as given at the creation of the session', METADATA)),
    redacted: null,
  },
} as const;

type Table = typeof echoed;
type Name = keyof Table;
export const echoedNames = Object.keys(echoed) as readonly Name[];

const each = <T>(memberOf: (name: Name) => unknown): T =>
  Object.fromEntries(echoedNames.map((name) => [name, memberOf(name)])) as T;
const schemas = <C extends 'request' | 'event' | 'answer'>(column: C) =>
  each<{ [N in Name]: Table[N][C] }>((name) => echoed[name][column]);

export const echoedRequest = schemas('request');
export const echoedEvent = schemas('event');
export const echoedAnswer = schemas('answer');

type Stored = OfMembers<typeof echoedEvent>;
type Answer = OfMembers<typeof echoedAnswer>;
type Redacted = Readonly<Record<Name, typeof REDACTED>>;

/** A submission's part of it. */
export type Echoed = Readonly<{ [N in Name]-?: Exclude<Stored[N], undefined> | typeof REDACTED }>;

/** What is stored of a request. */
export const storedEcho = (request: OfMembers<typeof echoedRequest>): Stored =>
  each((name) => request[name] ?? null);

/** What a submission has of its first event. */
export const readEcho = (part: Stored | Readonly<{ redacted: true }>): Echoed =>
  each((name) => reveal<typeof part, keyof Open<typeof part>>(part, name) ?? null);

/** What answers and webhooks say of a submission; one of an older release may lack members. */
export const echoOf = (state: Echoed): Answer =>
  each((name) => (state[name] === REDACTED ? echoed[name].redacted : (state[name] ?? null)));

/** That of a submission that is redacted, and of what is no submission. */
export const redactedEcho = each<Redacted>(() => REDACTED);
export const noEcho = each<Readonly<Record<Name, null>>>(() => null);
