import { type Decider, DomainError, never } from '../kernel/decider.ts';
import type { Event } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';

/** The stream of an API key: `apiKey-<ulid>`. It holds facts only; the key's hash stands in the table `apiKeys`. */
export const apiKeyStream = (keyId: string): string => `apiKey-${keyId.slice(4)}`;

type Scope = Readonly<{ keyId: string; companyId: string | null; mode: Mode }>;
export type ApiKeyCreated = Event<'ApiKeyCreated', Scope & { name: string | null; createdBy: string }>;
export type ApiKeyRevoked = Event<'ApiKeyRevoked', Scope>;
export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;
export type ApiKey = Scope & Readonly<{ revoked: boolean }>;

export type CreateApiKey = Readonly<{ type: 'CreateApiKey' }> & ApiKeyCreated['data'];
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
  initial: null,
  evolve,
  decide,
  subject: () => null,
};
