import type { Event, Position } from '../../kernel/event.ts';
import { context, type Stores } from './stores.ts';

/** An event that means nothing: a number, in the stream `count-<key>`. */
export type Counted = Event<'Counted', Readonly<{ key: string; n: number }>>;

/** Appends numbers to the stream of a key, in one append. */
export const appendNumbers = async (
  { log, clock, ids }: Stores,
  key: string,
  ...numbers: readonly number[]
): Promise<Position> => {
  const stream = `count-${key}`;
  const { head } = await log.load(stream);
  const { correlationId: $correlationId, causationId: $causationId, actor } = context;
  const at = clock.now().toISOString();
  const metadata = { at, $correlationId, $causationId, actor };
  const events = numbers.map((n) => ({ type: 'Counted', data: { key, n }, id: ids.event(), metadata }));
  return (await log.append(stream, head, events, () => null)).position;
};
