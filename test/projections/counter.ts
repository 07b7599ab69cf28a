import type { Recorded } from '../../kernel/event.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import type { Counted } from '../controls/numbers.ts';

type Count = Readonly<{ sum: number; seen: readonly number[] }>;

let names = 0;

/** A projection that sums up numbers by key, and throws on those in `poison`. */
export const counter = (poison: () => readonly number[] = () => []): Projection<Count, Counted> => ({
  name: `counter_${++names}`,
  version: 1,
  prefixes: ['count-'],
  indexes: [],
  keys: ({ data }) => [data.key],
  on: {
    Counted: (document, { data }) => {
      if (poison().includes(data.n)) throw new Error(`can't count ${data.n}`);
      return { sum: (document?.sum ?? 0) + data.n, seen: [...(document?.seen ?? []), data.n] };
    },
  },
});

/** The `position`th event of a log: `n` counted under `key`. */
export const counted = (position: number, key: string, n = position): Recorded<Counted> => ({
  type: 'Counted',
  data: { key, n },
  id: `event-${position}`,
  stream: `count-${key}`,
  revision: position,
  position: String(position).padStart(16, '0') as Recorded['position'],
  metadata: {
    schema: 1,
    at: '2026-11-21T10:00:00.000Z',
    $correlationId: 'c',
    $causationId: 'c',
    actor: { kind: 'system', id: 'test' },
    prev: null,
  },
});
