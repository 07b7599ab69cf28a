import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import type { EventOf } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { pick } from '../kernel/pick.ts';
import { closed, Mode, meaning, nullable, type Of, Type, text, time } from '../kernel/schema.ts';
import type { Office } from '../kernel/scope.ts';

/** The stream of an API key: `apiKey-<ulid>`. The key's hash is in the table `apiKeys`. */
export const apiKeyStream = (keyId: string): string => `apiKey-${keyId.slice(4)}`;

/** The longest time in which a rotated key works beside its successor: 30 days. */
export const MAX_OVERLAP_S = 2_592_000;

/** The creator of a key that was made on the command line for nobody. */
export const OPERATOR = 'operator';

const Scope = closed({
  keyId: Type.String(),
  companyId: nullable(text('null for an unscoped key')),
  mode: Mode,
});

// The key itself is in no event.
const events = {
  ApiKeyCreated: {
    about: 'A key was created.',
    data: closed({
      ...Scope.properties,
      name: nullable(Type.String()),
      createdBy: text('`operator`, or the user who created it'),
      madeBefore: Type.Optional(
        meaning(
          Type.Array(Type.String()),
          'the other users who created the keys that it replaces, newest first; absent where there are none',
        ),
      ),
    }),
  },
  ApiKeyRevoked: { about: 'A key was revoked.', data: Scope },
  ApiKeyRotated: {
    about: 'A key was replaced by a new one of the same company, mode and name.',
    data: closed({
      ...Scope.properties,
      newKeyId: text('the key that replaces it'),
      expiresAt: time('from when on this key is refused'),
    }),
  },
} as const satisfies EventDefinitions;

export type ApiKeyEvent = EventsOf<typeof events>;
/** `rotation`: by which key it was replaced, and when it expires (ISO 8601); null for one that was not. */
export type ApiKey = Of<typeof Scope> &
  Readonly<{
    name: string | null;
    createdBy: string;
    madeBefore?: readonly string[];
    revoked: boolean;
    rotation: Readonly<{ newKeyId: string; expiresAt: string }> | null;
  }>;

type Rotation = Readonly<{ newKeyId: string; expiresAt: string; at: string }>;

const evolve = evolveBy<ApiKey | null, ApiKeyEvent>({
  ApiKeyCreated: (_state, facts) => ({ ...facts, revoked: false, rotation: null }),
  ApiKeyRevoked: (state) => state && { ...state, revoked: true },
  ApiKeyRotated: (state, { newKeyId, expiresAt }) => state && { ...state, rotation: { newKeyId, expiresAt } },
});

const decisions = {
  CreateApiKey: (data: EventOf<ApiKeyEvent, 'ApiKeyCreated'>['data'], state) => {
    if (state) throw new DomainError('ApiKeyExists', 'There is a key of that identifier.');
    return [{ type: 'ApiKeyCreated', data }];
  },
  RevokeApiKey: (_input, state) => {
    const found = presentKey(state);
    return found.revoked ? [] : [{ type: 'ApiKeyRevoked', data: scopeOf(found) }];
  },
  RotateApiKey: ({ newKeyId, expiresAt, at }: Rotation, state) => {
    const found = presentKey(state);
    if (found.revoked) throw new DomainError('ApiKeyIsRevoked', 'The key has been revoked.');
    if (found.rotation !== null)
      throw new DomainError('ApiKeyIsRotated', `The key was replaced by ${found.rotation.newKeyId}.`);
    const data = scopeOf(found);
    const rotated = { type: 'ApiKeyRotated', data: { ...data, newKeyId, expiresAt } } as const;
    return expiresAt > at ? [rotated] : [rotated, { type: 'ApiKeyRevoked', data }];
  },
} satisfies Decisions<ApiKey | null, ApiKeyEvent>;

const scopeOf = (key: ApiKey) => pick(key, 'keyId', 'companyId', 'mode');

/** The key, if there is one. Throws `ApiKeyNotFound`. */
export const presentKey = (state: ApiKey | null): ApiKey => {
  if (state === null) throw new DomainError('ApiKeyNotFound', 'There is no such key.');
  return state;
};

/**
 * The users who stand behind a key, newest first: who created it, and who created the keys that it replaces.
 * None for one that was only ever the operator's.
 */
export const makersOf = ({ createdBy, madeBefore = [] }: Pick<ApiKey, 'createdBy' | 'madeBefore'>) =>
  createdBy === OPERATOR ? madeBefore : [createdBy, ...madeBefore];

/**
 * An API key's life. Revoking it twice is no fault; it is rotated once, without an overlap it is also
 * revoked.
 */
export const apiKey: Decider<ApiKey | null, CommandOf<typeof decisions>, ApiKeyEvent> = {
  category: 'apiKey-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: () => null,
};

/** Whether a person of this office may create a key of that company (null: unscoped). */
export const mayCreateKey = ({ role, companyId }: Office, keyCompanyId: string | null): boolean =>
  role === 'super_admin' || (role === 'org_admin' && keyCompanyId !== null && keyCompanyId === companyId);

/**
 * That this person may create a key of that company (null: unscoped; keys-7). Throws `RoleMakesNoKeys`,
 * `KeyNeedsCompany`, `KeyOutsideCompany`.
 */
export const requireMayCreateKey = (office: Office, keyCompanyId: string | null): void => {
  if (mayCreateKey(office, keyCompanyId)) return;
  const { role } = office;
  if (role !== 'org_admin')
    throw new DomainError('RoleMakesNoKeys', `A person of the role ${role} may create no keys.`);
  if (keyCompanyId === null)
    throw new DomainError('KeyNeedsCompany', 'An org_admin must give a company to each key.');
  throw new DomainError('KeyOutsideCompany', 'An org_admin may make keys of the own company only.');
};
