import { createHmac, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '../../kernel/sealing.ts';

/**
 * What wraps the wrapping keys: a master key, or a key of AWS KMS. `id` names it in rows. Both throw
 * `StoreUnavailable` where it can't be reached, and `unwrap` throws what it was not given.
 */
export type Root = Readonly<{
  id: string;
  wrap(context: string, key: Uint8Array): Promise<string>;
  unwrap(context: string, wrapped: string): Promise<Uint8Array>;
}>;

/**
 * The roots that this process has. `master`: the master keys, the present one first; read anew at each call,
 * since a rotation beside this process may have made another. `kms`: a key of KMS by its `id` in a row.
 */
export type Roots = Readonly<{
  current(): Root;
  /** Wraps from this rotation on. */
  next(): Root;
  /** Lets the next root be the present one: nothing is wrapped by another any longer. */
  replace(): void;
  master(): readonly Uint8Array[];
  kms: ((id: string) => Root) | null;
}>;

export const KMS_PREFIX = 'kms ';

/** A fingerprint (64 hex digits) by which a master key is told from others. */
export const fingerprintOf = (masterKey: Uint8Array): string =>
  createHmac('sha256', masterKey).update('fingerprint of MASTER_KEY').digest('hex');

/** A master key (32 bytes) as a root. */
export const masterRoot = (masterKey: Uint8Array): Root => ({
  id: `master ${fingerprintOf(masterKey)}`,
  wrap: async (context, key) => encrypt(masterKey, randomBytes(12), context, key),
  unwrap: async (context, wrapped) => Uint8Array.from(decrypt(masterKey, context, wrapped)),
});
