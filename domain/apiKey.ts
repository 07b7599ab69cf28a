import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import type { EventOf } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, Mode, nullable, type Of, Type, text } from '../kernel/schema.ts';

/** The stream of an API key: `apiKey-<ulid>`. The key's hash is in the table `apiKeys`. */
export const apiKeyStream = (keyId: string): string => `apiKey-${keyId.slice(4)}`;

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
    }),
  },
  ApiKeyRevoked: { about: 'A key was revoked.', data: Scope },
} as const satisfies EventDefinitions;

export type ApiKeyEvent = EventsOf<typeof events>;
type ApiKey = Of<typeof Scope> & Readonly<{ revoked: boolean }>;

const evolve = evolveBy<ApiKey | null, ApiKeyEvent>({
  ApiKeyCreated: (_state, { keyId, companyId, mode }) => ({ keyId, companyId, mode, revoked: false }),
  ApiKeyRevoked: (state) => state && { ...state, revoked: true },
});

const decisions = {
  CreateApiKey: (data: EventOf<ApiKeyEvent, 'ApiKeyCreated'>['data'], state) => {
    if (state) throw new DomainError('ApiKeyExists', 'There is a key of that identifier.');
    return [{ type: 'ApiKeyCreated', data }];
  },
  RevokeApiKey: (_input, state) => {
    if (!state) throw new DomainError('ApiKeyNotFound', 'There is no such key.');
    const { revoked, ...scope } = state;
    return revoked ? [] : [{ type: 'ApiKeyRevoked', data: scope }];
  },
} satisfies Decisions<ApiKey | null, ApiKeyEvent>;

/** An API key's life. Revoking it twice is no fault. */
export const apiKey: Decider<ApiKey | null, CommandOf<typeof decisions>, ApiKeyEvent> = {
  category: 'apiKey-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: () => null,
};
