import type { NamedFile } from '../domain/fraud/check.ts';
import { MAX_MATCHES } from '../domain/fraud/matches.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { EventWith, Position } from '../kernel/event.ts';
import type { ReadModels, Sort } from '../stores/documents/port.ts';
import { indexOn, remove, type SelectiveProjection } from './engine/projection.ts';
import { foldsOf } from './statusFolds.ts';

/**
 * A fingerprint that later ones match, and its position in the log: one document a submission and value. A
 * check may have many of a file; a value is the same only within a company, mode and check.
 */
export type FraudEntry = Readonly<{
  id: string;
  value: string;
  position: Position;
  submissionId: string;
  files: readonly NamedFile[];
}>;

/** The events that say which fingerprints there are, or are no more. */
type Fingerprinted = EventWith<SubmissionEvent, 'fingerprints'>;

const nearestFirst: Sort = [{ path: 'position', direction: 'descending' }];

/** The fingerprints of all submissions but those that failed, were cancelled or are redacted (fraud-7). */
export const fraudIndex: SelectiveProjection<FraudEntry, SubmissionEvent> = {
  name: 'fraudIndex',
  version: 1,
  prefixes: ['submission-'],
  indexes: [indexOn('value', ['value'], nearestFirst)],
  keys: (event) => valuesOf(event).map((value) => keyOf(event.data.submissionId, value)),
  on: foldsOf<FraudEntry, Fingerprinted>({
    SubmissionFingerprinted: (_entry, { data: { submissionId, fingerprints }, position }, id) => {
      const own = fingerprints.find(({ value }) => keyOf(submissionId, value) === id);
      return own ? { id, value: own.value, position, submissionId, files: own.files } : null;
    },
    SubmissionProcessingFailed: remove,
    SubmissionCancelled: remove,
    SubmissionRedactionRequested: remove,
  }),
};

const keyOf = (submissionId: string, value: string): string => `${submissionId} ${value}`;

const valuesOf = ({ data }: SubmissionEvent): readonly string[] =>
  'fingerprints' in data
    ? (data.fingerprints ?? []).map((one) => (typeof one === 'string' ? one : one.value))
    : [];

/** The end of counting: a look-up costs the same however many submissions there are. */
const MAX_COUNTED = 1_000;

/** Looks up fingerprints. */
export const fraudQueries = (models: ReadModels) => {
  const whereOf = (value: string, position: Position) => ({ value, position: { before: position } });
  const pageOf = (value: string, position: Position, limit: number) => {
    const query = { where: whereOf(value, position), sort: nearestFirst, limit, after: null };
    return models.page<FraudEntry>('fraudIndex', query);
  };
  return {
    /** The nearest entries of a value before a position; `count` of all of them, up to 1,000. */
    before: async (
      value: string,
      position: Position,
    ): Promise<Readonly<{ earlier: readonly FraudEntry[]; count: number }>> => {
      const { items: earlier, next } = await pageOf(value, position, MAX_MATCHES);
      if (next === null) return { earlier, count: earlier.length };
      return { earlier, count: await models.count('fraudIndex', whereOf(value, position), MAX_COUNTED) };
    },
    /** The entries of a value before a position, the nearest first, at most `limit`. */
    nearest: async (value: string, position: Position, limit: number): Promise<readonly FraudEntry[]> =>
      (await pageOf(value, position, limit)).items,
  };
};
