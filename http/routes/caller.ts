import type { Context } from '../../commands/handle.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import type { Caller } from '../engine/access/apiKeys.ts';

type Asked = Readonly<{ caller: Caller; requestId: string; reserved: Reserved }>;

/** What the events that a request causes say of it: the key, never more of the caller. What it has done already is not done again. */
export const commandContext = ({ caller, requestId, reserved }: Asked): Context => {
  const { correlationId } = reserved;
  const actor = { kind: 'key', id: caller.keyId } as const;
  return { actor, requestId, correlationId, causationId: correlationId, once: true };
};
