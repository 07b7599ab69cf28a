import type { Metadata } from '../../kernel/event.ts';
import type { Core } from '../../runtime/wire.ts';
import { hashOf } from '../../stores/events/hash.ts';
import { collect } from '../contract/events/controls.ts';

type Foreign = Readonly<{ type: string; data: Readonly<Record<string, unknown>>; schema?: number }>;

/** Appends an event to a stream as no writer of this release would, in its chain; gives its position. */
export const appendForeign = async (
  { events, ids }: Core,
  stream: string,
  { type, data, schema = 1 }: Foreign,
) => {
  const last = (await collect(events.read(stream))).at(-1);
  const metadata: Metadata = {
    ...{ schema, at: new Date().toISOString(), $correlationId: 'cor', $causationId: 'cau' },
    actor: { kind: 'system', id: 'another release' },
    prev: last ? hashOf(last) : null,
  };
  const event = { id: ids.event(), type, data, metadata };
  return (await events.append(stream, last?.revision ?? 'none', [event])).position;
};
