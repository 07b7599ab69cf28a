import type { ApiKeyEvent } from '../domain/apiKey.ts';
import type { UserEvent } from '../domain/user.ts';
import type { EventOf } from '../kernel/event.ts';
import type { Reactor } from './engine/reactor.ts';

type Rotated = EventOf<ApiKeyEvent, 'ApiKeyRotated'>;
type RoleChanged = EventOf<UserEvent, 'UserRoleChanged'>;

type Ports = Readonly<{
  settleKey(keyId: string): Promise<void>;
  settleUser(userId: string): Promise<void>;
}>;

/**
 * The rows of keys and users follow what was decided, also where the request that decided it was cut short: a
 * rotated key expires, a changed role is the one that counts. From the origin: it may be done again.
 */
export const settleCredentials = ({ settleKey, settleUser }: Ports): Reactor<Rotated | RoleChanged> => ({
  name: 'settleCredentials',
  startFrom: 'origin',
  prefixes: ['apiKey-', 'user-'],
  handles: ['ApiKeyRotated', 'UserRoleChanged'],
  react: (event) =>
    event.type === 'ApiKeyRotated' ? settleKey(event.data.keyId) : settleUser(event.data.userId),
});
