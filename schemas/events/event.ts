import type { TSchema } from '../../kernel/schema.ts';

/**
 * What is known of an event type. `versions` are the schemas of its data, that of version 1 first; the last one is written now, and the others stay for
 * ever. `writtenBy` are the files that append it.
 */
export type EventEntry = Readonly<{
  about: string;
  writtenBy: readonly string[];
  versions: readonly TSchema[];
}>;

/** The events that stand in the streams whose names begin with `category`. */
export type StreamEntry = Readonly<{ category: string; events: Readonly<Record<string, EventEntry>> }>;
