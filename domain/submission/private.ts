import { REDACTED } from '../../kernel/event.ts';
import type { Private } from './events.ts';

/** A member of a private part, or `REDACTED` once its key is gone. */
export const reveal = <P extends object, K extends keyof P>(
  part: Private<P>,
  name: K,
): P[K] | typeof REDACTED => ('redacted' in part ? REDACTED : (part as P)[name]);
