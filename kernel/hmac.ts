import { createHmac } from 'node:crypto';

/**
 * A name (64 hex digits) for what must not be written down itself, such as an e-mail in a stream's name:
 * HMAC-SHA256 of the parts under MASTER_KEY. The first part is the purpose; ('a', 'bc') and ('ab', 'c')
 * differ.
 */
export const hmacId = (masterKey: Uint8Array, ...parts: readonly string[]): string =>
  createHmac('sha256', masterKey).update(JSON.stringify(parts)).digest('hex');
