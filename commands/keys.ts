import { randomBytes } from 'node:crypto';
import { apiKey, apiKeyStream, makersOf, presentKey } from '../domain/apiKey.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import { type Credentials, hashKey } from '../stores/credentials.ts';
import type { EventLog } from '../stores/events/log.ts';
import { requireCompany } from './administer.ts';
import type { CommandPorts, Context } from './handle.ts';
import { load } from './load.ts';

type KeyPorts = CommandPorts & Readonly<{ log: EventLog; credentials: Credentials }>;

/** A new key, shown once: `key` is stored nowhere. */
export type NewKey = Readonly<{ id: string; key: string; hash: string; position: Position }>;

/** `ulid` names the key: a new one, unless it was reserved for the request. */
type KeyInput = Readonly<{
  companyId: string | null;
  mode: Mode;
  name: string | null;
  createdBy: string;
  ulid?: string;
}>;

type RotationInput = Readonly<{ keyId: string; overlapSeconds: number; createdBy: string; ulid?: string }>;
type Rotated = Readonly<{ made: NewKey; expiresAt: string; position: Position }>;

/** The administrators' commands on API keys. Each gives the position of its last event. */
export const keys = (ports: KeyPorts) => {
  const { handle, log, credentials, clock, ids } = ports;

  const make = async (
    { ulid = ids.ulid(), ...input }: KeyInput & Readonly<{ madeBefore?: readonly string[] }>,
    context: Context,
  ): Promise<NewKey> => {
    const id = keyIdOf(ulid);
    const key = `aok_${randomBytes(32).toString('hex')}`;
    const hash = hashKey(key);
    const command = { type: 'CreateApiKey', keyId: id, ...input } as const;
    // The event first: it is new once, so that no request that is repeated makes a second secret.
    const { position, repeated } = await handle(apiKey, apiKeyStream(id), command, context);
    if (repeated) throw new DomainError('ApiKeyExists', 'The key was made, and its secret was shown.');
    const { companyId, mode } = input;
    await credentials.add({ keyId: id, hash, companyId, mode, revokedAt: null, lastUsedAt: null });
    // Whoever revoked it since the event found no row.
    await settle(id);
    return { id, key, hash, position };
  };

  const revoke = async (keyId: string, context: Context) => {
    // The row first: after a crash before the event the key is revoked, and revoking again appends the event.
    await credentials.revoke(keyId, clock.now().toISOString());
    const { position, at } = await handle(apiKey, apiKeyStream(keyId), { type: 'RevokeApiKey' }, context);
    return { revokedAt: (await credentials.byId(keyId))?.revokedAt ?? at, position };
  };

  const settle = async (keyId: string): Promise<void> => {
    const { revoked, rotation } = presentKey(await load(log, apiKey, apiKeyStream(keyId)));
    if (rotation) await credentials.expire(keyId, rotation.expiresAt);
    if (revoked) await credentials.revoke(keyId, clock.now().toISOString());
  };

  return {
    /** Makes a key (keys-7). Throws `CompanyNotFound`, and `ApiKeyExists` where the request has made it. */
    createKey: async (input: KeyInput, context: Context): Promise<NewKey> => {
      if (input.companyId !== null) await requireCompany(log, input.companyId);
      return make(input, context);
    },

    /** Refuses a key from now on, which may be repeated. Throws `ApiKeyNotFound`. */
    revokeKey: revoke,

    /**
     * Replaces a key by a new one of the same company, mode and name; it is refused from `expiresAt` on, and
     * without an overlap revoked (keys-11). Throws `ApiKeyNotFound`, `ApiKeyIsRevoked`, `ApiKeyIsRotated`.
     */
    rotateKey: async (
      { keyId, overlapSeconds, ...maker }: RotationInput,
      context: Context,
    ): Promise<Rotated> => {
      const { ulid = ids.ulid() } = maker;
      const now = clock.now();
      const at = now.toISOString();
      const expiresAt = new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
      const command = { type: 'RotateApiKey', newKeyId: keyIdOf(ulid), expiresAt, at } as const;
      const old = presentKey(await load(log, apiKey, apiKeyStream(keyId)));
      // Throws what the decision will throw, before a key is made.
      apiKey.decide(command, old);
      const { companyId, mode, name } = old;
      const { createdBy } = maker;
      const madeBefore = makersOf(old).filter((one) => one !== createdBy);
      // The new key first: after a crash the old one is as it was.
      const facts = { companyId, mode, name, createdBy, ...(madeBefore.length > 0 ? { madeBefore } : {}) };
      const made = await make({ ...facts, ulid }, context);
      const { position } = await handle(apiKey, apiKeyStream(keyId), command, context).catch(
        async (error: unknown) => {
          if (error instanceof DomainError) await revoke(made.id, anew(context));
          throw error;
        },
      );
      await settle(keyId);
      return { made, expiresAt, position };
    },

    /** Makes a key's row as its log says: refused from its expiry on, and from now on when it was revoked. */
    settleKey: settle,

    /** The key that a request with this reserved identifier has made; null for none. */
    keyMadeFor: async (ulid: string) => load(log, apiKey, apiKeyStream(keyIdOf(ulid))),
  };
};

const keyIdOf = (ulid: string): string => `key_${ulid}`;

/** The context without `once`: for one more command on a stream that the same request has changed. */
const anew = ({ once: _, ...context }: Context): Context => context;
