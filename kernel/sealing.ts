import { createCipheriv, createDecipheriv } from 'node:crypto';

// Form: one byte for the version (1), 12 of nonce, 16 of tag, then the ciphertext.
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts with AES-256-GCM, bound to `context`; base64. A nonce (12 bytes) must never be used twice with a
 * key.
 */
export const encrypt = (key: Uint8Array, nonce: Uint8Array, context: string, text: Uint8Array): string => {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context));
  const ciphertext = [cipher.update(text), cipher.final()];
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...ciphertext]).toString('base64');
};

/** What `encrypt` was given. Throws when the key or the context is another one, or a byte was changed. */
export const decrypt = (key: Uint8Array, context: string, sealed: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes[0] !== VERSION || bytes.length < HEADER_BYTES) throw new Error('not a sealed text of version 1');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  const text = decipher.update(bytes.subarray(HEADER_BYTES));
  decipher.final(); // gives nothing more in this mode, and throws unless all is as it was sealed
  return text;
};
