import type { Context } from '../../commands/handle.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { Caller } from '../auth.ts';

/** What the events that a request causes say of it: the key, never more of the caller. */
export const commandContext = (caller: Caller, requestId: string, ids: Ids): Context => {
  const correlationId = ids.event();
  return { actor: { kind: 'key', id: caller.keyId }, requestId, correlationId, causationId: correlationId };
};
