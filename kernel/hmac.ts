import { createHmac } from 'node:crypto';

/**
 * A name (64 hex digits) for what must not be written down itself, such as an e-mail in a stream's name:
 * HMAC-SHA256 of the parts under a key. The first part is the purpose; ('a', 'bc') and ('ab', 'c') differ.
 */
export const hmacId = (key: Uint8Array, ...parts: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

/** `hmacId` under the naming key of the service, whose names are the same for ever. */
export type NameOf = (...parts: readonly string[]) => string;
