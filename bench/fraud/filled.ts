import type { Position } from '../../kernel/event.ts';
import { indexOn } from '../../projections/engine/projection.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { prepareProjections } from '../../projections/engine/runner.ts';
import { type FraudEntry, fraudIndex } from '../../projections/fraudIndex.ts';
import type { DocumentStore } from '../../stores/documents/port.ts';
import { createProgress } from '../extraction/progress.ts';
import { hidden, keysOf, type Made, madeUp } from './made.ts';

/** So many submissions are written in one commit. */
const AT_ONCE = 5_000;

/** As many hex digits as the service keeps. */
export const hide = (checkType: string, text: string): string =>
  hidden(`${checkType} ${text}`).slice(0, checkType === 'near_duplicate_image' ? 32 : 64);

/** The n-th submission's position in the log. */
export const placeOf = (n: number): Position => String(n + 1).padStart(16, '0') as Position;

/** The values that the index has of a submission. */
const valuesOf = (made: Made): readonly string[] => [
  hide('duplicate_file', made.sha256),
  hide('duplicate_data', made.businessKey),
  ...new Set(keysOf(made).map((text) => hide('near_duplicate_image', text))),
];

/** Fills the fraud index with the entries of so many submissions, and gives how many these are. */
export const fillIndex = async ({ models, leases }: DocumentStore, submissions: number): Promise<number> => {
  const fence = await leases.acquire('bench', 'bench', 3_600_000);
  if (!fence) throw new Error('another bench runs');
  const collection = collectionOf(fraudIndex);
  // Building the index at the end takes a tenth of the time.
  await models.ensure(collection, [
    indexOn('value', ['position'], [{ path: 'value', direction: 'ascending' }]),
  ]);
  const figure = submissions.toLocaleString('en');
  const progress = createProgress(`${figure} submissions, in steps`, Math.ceil(submissions / AT_ONCE));
  let entries = 0;
  for (let first = 0; first < submissions; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, submissions - first);
    const writes = Array.from({ length: count }, (_, n) => entriesOf(madeUp(first + n))).flat();
    entries += writes.length;
    const all = writes.map((document) => ({
      collection,
      id: document.id,
      position: document.position,
      document,
    }));
    await models.commit(all, {}, fence);
    progress.step();
  }
  progress.stop();
  process.stderr.write('building the index\n');
  await prepareProjections([fraudIndex], models);
  return entries;
};

const entriesOf = (made: Made): readonly FraudEntry[] =>
  valuesOf(made).map((value) => ({
    id: `${made.submissionId} ${value}`,
    value,
    position: placeOf(made.n),
    submissionId: made.submissionId,
    files: [],
  }));
