import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Recorded } from '../../domain/kernel.ts';
import { batches } from '../../projections/batches.ts';
import { batchSessions } from '../../projections/batchSessions.ts';
import { feed } from '../../projections/feed.ts';
import { fraudIndex } from '../../projections/fraudIndex.ts';
import { pendingSessions } from '../../projections/pendingSessions.ts';
import { processingQueue } from '../../projections/processingQueue.ts';
import type { Projection } from '../../projections/projection.ts';
import { submissions } from '../../projections/submissions.ts';
import { batchLogs } from '../controls/histories.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { long, rounds, suite } from '../harness.ts';
import { foldAlone, foldStored } from './spec.ts';

const test = suite('projections over random histories');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

/** What sessions make; those of batches see three of one batch. */
const projections: readonly Projection[] = [
  submissions,
  processingQueue,
  fraudIndex,
  pendingSessions,
  batches,
  batchSessions,
  feed,
];

/** Where a page ends, and how many events before its start come again with it. */
const borders = fc.array(fc.record({ size: fc.integer({ min: 1, max: 9 }), again: fc.nat({ max: 9 }) }), {
  minLength: 1,
  maxLength: 8,
});
type Borders = readonly Readonly<{ size: number; again: number }>[];

const recut = (events: readonly Recorded[], plan: Borders): readonly (readonly Recorded[])[] => {
  const pages: (readonly Recorded[])[] = [];
  let start = 0;
  for (let n = 0; start < events.length; n += 1) {
    const { size, again } = plan[n % plan.length] ?? { size: 1, again: 0 };
    pages.push(events.slice(Math.max(0, start - again), start + size));
    start += size;
  }
  return pages;
};

test(
  'once, twice, and re-cut with redelivery give equal documents',
  async () => {
    const property = fc.asyncProperty(batchLogs, borders, async (events, plan) => {
      for (const projection of projections) {
        const expected = foldAlone(projection, events);
        assert.equal(await foldStored(projection, [events], stores), expected, 'once');
        assert.equal(await foldStored(projection, [events, events], stores), expected, 'twice');
        assert.equal(await foldStored(projection, recut(events, plan), stores), expected, 're-cut');
      }
    });
    await fc.assert(property, { numRuns: rounds(60, 1_000), ...(long ? {} : { seed: 20261121 }) });
  },
  { timeoutMs: 300_000 },
);
