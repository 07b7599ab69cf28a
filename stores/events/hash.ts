import { createHash } from 'node:crypto';
import { hashedText } from '../../kernel/hashedText.ts';
import type { StoredEvent } from './port.ts';

/**
 * The SHA-256 (hex) of a stored event, which the next one in its stream carries as `metadata.prev`. Every
 * driver gives back the JSON it was given.
 */
export const hashOf = (event: StoredEvent): string =>
  createHash('sha256').update(hashedText(event)).digest('hex');
