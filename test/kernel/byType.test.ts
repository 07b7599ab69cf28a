import * as assert from 'uvu/assert';
import { decideBy, evolveBy } from '../../kernel/byType.ts';
import type { Event } from '../../kernel/event.ts';
import { suite } from '../harness.ts';

const test = suite('kernel/byType');

type Counted = Event<'Counted', Readonly<{ by: number }>>;

const evolve = evolveBy<number, Counted>({ Counted: (sum, { by }) => sum + by });
const decide = decideBy<number, Counted, { Count(input: { by: number }, sum: number): Counted[] }>({
  Count: (data) => [{ type: 'Counted', data }],
});

test('a fold and a decision are those of the type', () => {
  assert.is(evolve(1, { type: 'Counted', data: { by: 2 } }), 3);
  assert.equal(decide({ type: 'Count', by: 2 }, 0), [{ type: 'Counted', data: { by: 2 } }]);
});

test('what every object inherits is the fold or decision of no type', () => {
  for (const type of ['Unknown', 'constructor', 'toString', '__proto__'] as const) {
    assert.throws(() => evolve(1, { type, data: { by: 2 } } as never), type);
    assert.throws(() => decide({ type, by: 2 } as never, 0), type);
  }
});
