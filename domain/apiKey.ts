import { type Decider, DomainError, never } from '../kernel/decider.ts';
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
export type ApiKey = Of<typeof Scope> & Readonly<{ revoked: boolean }>;

export type CreateApiKey = Readonly<{ type: 'CreateApiKey' }> & EventOf<ApiKeyEvent, 'ApiKeyCreated'>['data'];
export type RevokeApiKey = Readonly<{ type: 'RevokeApiKey' }>;
export type ApiKeyCommand = CreateApiKey | RevokeApiKey;

const evolve = (state: ApiKey | null, event: ApiKeyEvent): ApiKey | null => {
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { keyId, companyId, mode } = event.data;
      return { keyId, companyId, mode, revoked: false };
    }
    case 'ApiKeyRevoked':
      return state && { ...state, revoked: true };
    default:
      return never(event);
  }
};

const decide = (command: ApiKeyCommand, state: ApiKey | null): readonly ApiKeyEvent[] => {
  switch (command.type) {
    case 'CreateApiKey': {
      if (state) throw new DomainError('ApiKeyExists', 'There is a key of that identifier.');
      const { type: _, ...data } = command;
      return [{ type: 'ApiKeyCreated', data }];
    }
    case 'RevokeApiKey': {
      if (!state) throw new DomainError('ApiKeyNotFound', 'There is no such key.');
      const { revoked, ...scope } = state;
      return revoked ? [] : [{ type: 'ApiKeyRevoked', data: scope }];
    }
    default:
      return never(command);
  }
};

/** An API key's life. Revoking it twice is no fault. */
export const apiKey: Decider<ApiKey | null, ApiKeyCommand, ApiKeyEvent> = {
  category: 'apiKey-',
  events,
  initial: null,
  evolve,
  decide,
  subject: () => null,
};
