import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import type { Position, Recorded } from '../../kernel/event.ts';
import { readYourWrites } from '../../projections/submissionFromLog.ts';
import { type SubmissionDocument, submissions } from '../../projections/submissions.ts';
import { failure } from '../controls/stores.ts';
import { historyOf, recorded, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { foldAlone } from './spec.ts';

const test = suite('the document as of a stored command');
const { submissionId } = routing;
const events: readonly Recorded[] = recorded(historyOf.processing);
const folded = (count: number) =>
  foldAlone(submissions, events.slice(0, count))[submissionId] as SubmissionDocument;
const place = { submissionId, position: '3' as Position, revision: 2 };

type Ports = Parameters<typeof readYourWrites>[0];

/** Read models that show the whole stream, unless told otherwise. */
const shown = (over: Partial<Ports> = {}) => {
  const seen: unknown[] = [];
  const ports: Ports = {
    progress: { reached: async () => true },
    log: { load: async () => ({ events, unknown: [], head: null }) },
    find: async () => folded(3),
    failed: (error) => void seen.push(error),
    ...over,
  };
  return { seen, ask: () => readYourWrites(ports)(place) };
};

test('is that of the read models once they show it', async () => {
  const log = { load: () => Promise.reject(new Error('the log is not asked')) };
  assert.equal(await shown({ log }).ask(), folded(3));
});

test('is folded from the log when they are late', async () => {
  assert.equal(await shown({ find: async () => folded(2) }).ask(), folded(3));
  assert.equal(await shown({ find: async () => null }).ask(), folded(3));
});

test('is folded from the log when they can’t be read, and that is seen', async () => {
  const away = () => Promise.reject(new Error('away'));
  for (const over of [{ progress: { reached: away } }, { find: away }]) {
    const { ask, seen } = shown(over);
    assert.equal(await ask(), folded(3));
    assert.equal(seen.map(String), ['Error: away']);
  }
});

test('an unavailable log is a refusal that may be retried', async () => {
  const log = { load: () => Promise.reject(new StoreUnavailable('away')) };
  const error = await failure(shown({ log, find: async () => null }).ask());
  assert.is(error.name, 'StoreUnavailable');
});
