import type { Event, Recorded } from '../../kernel/event.ts';

/**
 * A reaction to events: a command, or due work. `startFrom` is `origin` where the effect is a stream that
 * must be new, so that a lost checkpoint loses and doubles nothing. A `react` that throws is tried again for
 * five minutes, then set aside.
 */
export type Reactor<E extends Event = Event> = Readonly<{
  name: string;
  startFrom: 'origin' | 'now';
  prefixes: readonly string[];
  handles: readonly E['type'][];
  react(event: Recorded<E>, signal: AbortSignal): Promise<void>;
}>;
