import { createHmac, randomBytes } from 'node:crypto';
import { hmacId } from '../../kernel/hmac.ts';
import { decrypt, encrypt } from '../../kernel/sealing.ts';
import type { Keyring } from '../../stores/keyring/keyring.ts';

/** A keyring of one key, which seals and names. */
export const keyringOf = (key: Uint8Array): Keyring => ({
  derive: (text) => createHmac('sha256', key).update(text).digest('hex'),
  nameOf: (...parts) => hmacId(key, ...parts),
  seal: async ({ keyOf, contextOf }, id, bytes) =>
    encrypt(keyOf(key, id), randomBytes(12), contextOf(id), bytes),
  learn: async () => undefined,
  open: ({ keyOf, contextOf }, id, text) => decrypt(keyOf(key, id), contextOf(id), text),
  reseal: async () => null,
});
