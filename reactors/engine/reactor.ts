import type { Event, Position, Recorded } from '../../kernel/event.ts';

/**
 * A reaction to events: a command, or due work. `startFrom` is `origin` where the effect is a stream that
 * must be new, so that a lost checkpoint loses and doubles nothing. A `react` that throws is tried again for
 * five minutes, then set aside. `start` is called with the checkpoint before anything else, also of each new
 * start, and `learn` with the events of a page, in the order of the log, before the first of them is reacted
 * to.
 */
export type Reactor<E extends Event = Event> = Readonly<{
  name: string;
  startFrom: 'origin' | 'now';
  prefixes: readonly string[];
  handles: readonly E['type'][];
  start?(after: Position | null): Promise<void>;
  learn?(events: readonly Recorded<E>[]): void;
  react(event: Recorded<E>, signal: AbortSignal): Promise<void>;
}>;
