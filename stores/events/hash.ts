import { createHash } from 'node:crypto';
import type { StoredEvent } from './port.ts';

/**
 * The SHA-256 (hex) of a stored event, which the next one in its stream carries as `metadata.prev`: of the
 * JSON text of [id, type, data, metadata]. Every driver gives back the JSON it was given, and to parse and
 * write JSON changes neither the order of members nor the form of numbers, so the text is the same when
 * written and whenever it is read.
 */
export const hashOf = ({ id, type, data, metadata }: StoredEvent): string =>
  createHash('sha256')
    .update(JSON.stringify([id, type, data, metadata]))
    .digest('hex');
