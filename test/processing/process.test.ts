import * as assert from 'uvu/assert';
import type { Child } from '../../processing/engine/childProcess.ts';
import { createProcessor } from '../../processing/engine/processor.ts';
import { TransientFailure } from '../../processing/errors.ts';
import type { Outcome } from '../../processing/types.ts';
import { eventually, suite } from '../harness.ts';
import { versionOf } from './files.ts';

const test = suite('processing/engine/processor');

const tooMuch: Outcome = { kind: 'failed', reason: 'too much memory' };
const tooLong: Outcome = { kind: 'failed', reason: 'too much time' };
const extracted: Outcome = {
  kind: 'extracted',
  extractedData: {},
  fieldConfidences: {},
  confidence: 1,
  certainty: 1,
  aiSummary: '',
  result: { fields: {}, pages: 1, files: [] },
  findings: [],
};
const done: Outcome = { kind: 'failed', reason: 'done' };

/** A processor of one child, and the functions that end its jobs, in the order of their start. */
const queue = () => {
  const jobs: (() => void)[] = [];
  const child: Child = {
    pid: undefined,
    alive: () => true,
    tookTooLong: () => false,
    run: () => new Promise((resolve) => jobs.push(() => resolve(done))),
    stop: async () => {},
  };
  const processor = createProcessor({ concurrency: 1 }, () => child);
  const run = (signal = new AbortController().signal): Promise<Outcome> =>
    processor.process(versionOf(), [], signal);
  return { jobs, run, processor };
};

const failed = (work: Promise<Outcome>): Promise<Error> =>
  work.then(
    () => assert.unreachable(),
    (error) => error,
  ) as Promise<Error>;

test('a job that is cancelled while it waits changes no other job’s turn', async () => {
  const { jobs, run, processor } = queue();
  const cancelled = new AbortController();
  const [first, second, third, last] = [run(), run(), run(cancelled.signal), run()];
  await eventually('the first has started', () => jobs.length === 1);
  cancelled.abort(new Error('cancelled'));
  assert.is((await failed(third)).message, 'cancelled');
  for (const index of [0, 1, 2]) {
    await eventually(`turn ${index + 1}`, () => jobs.length === index + 1);
    jobs[index]?.();
  }
  assert.equal(await Promise.all([first, second, last]), [done, done, done]);
  await processor.close();
});

test('closing refuses jobs that wait, and later ones', async () => {
  const { jobs, run, processor } = queue();
  const [first, ...waiting] = [run(), run(), run()];
  await eventually('the first has started', () => jobs.length === 1);
  await processor.close();
  for (const work of [...waiting, run()]) assert.instance(await failed(work), TransientFailure);
  jobs[0]?.();
  assert.is(await first, done);
  assert.is(jobs.length, 1);
});

/** The results of jobs, and how many each child was given, when their runs have these outcomes. */
const ended = async (count: number, outcomes: Outcome[]) => {
  const jobs: number[] = [];
  const start = (): Child => {
    const index = jobs.push(0) - 1;
    let end: Outcome | null = null;
    return {
      pid: undefined,
      alive: () => end === null,
      tookTooLong: () => end === tooLong,
      run: async () => {
        jobs[index] = (jobs[index] ?? 0) + 1;
        const outcome = outcomes.shift();
        if (!outcome) throw new Error('one job too many');
        if (outcome === tooMuch || outcome === tooLong) end = outcome;
        return outcome;
      },
      stop: async () => {},
    };
  };
  const used = createProcessor({ concurrency: 1 }, start);
  const results: Outcome[] = [];
  for (let n = 0; n < count; n += 1)
    results.push(await used.process(versionOf(), [], new AbortController().signal));
  await used.close();
  return { results, jobs };
};

test('a job that exceeds the memory of a used child runs again in a fresh one, and fails only there', async () => {
  const { results, jobs } = await ended(4, [extracted, tooMuch, extracted, extracted, tooMuch, tooMuch]);
  assert.equal(results, [extracted, extracted, extracted, tooMuch]);
  assert.equal(jobs, [2, 3, 1]);
});

test('a job that takes too long does not run again', async () => {
  const { results, jobs } = await ended(3, [extracted, tooLong, extracted]);
  assert.equal(results, [extracted, tooLong, extracted]);
  assert.equal(jobs, [2, 1]);
});
