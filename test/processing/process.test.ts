import * as assert from 'uvu/assert';
import type { Child } from '../../processing/engine/childProcess.ts';
import { createProcessor } from '../../processing/engine/processor.ts';
import { TransientFailure } from '../../processing/errors.ts';
import type { Outcome } from '../../processing/types.ts';
import { eventually, suite } from '../harness.ts';
import { versionOf } from './files.ts';

const test = suite('the processor’s queue and its children');

const tooMuch: Outcome = { kind: 'failed', reason: 'too much memory' };
const tooLong: Outcome = { kind: 'failed', reason: 'too much time' };
const extracted: Outcome = {
  kind: 'extracted',
  extractedData: {},
  fieldConfidences: {},
  confidence: 1,
  certainty: 1,
  aiSummary: '',
  result: { fields: {}, pages: 1 },
  findings: [],
};
const done: Outcome = { kind: 'failed', reason: 'done' };

/** A processor of one child, whose jobs end when they are told to, and the order in which they began. */
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

test('whoever leaves the queue takes nobody’s turn along', async () => {
  const { jobs, run, processor } = queue();
  const leaver = new AbortController();
  const [first, second, left, last] = [run(), run(), run(leaver.signal), run()];
  await eventually('the first has begun', () => jobs.length === 1);
  leaver.abort(new Error('not wanted'));
  assert.is((await failed(left)).message, 'not wanted');
  for (const index of [0, 1, 2]) {
    await eventually(`turn ${index + 1}`, () => jobs.length === index + 1);
    jobs[index]?.();
  }
  assert.equal(await Promise.all([first, second, last]), [done, done, done]);
  await processor.close();
});

test('closing refuses those who wait, and those who come later', async () => {
  const { jobs, run, processor } = queue();
  const [first, ...waiting] = [run(), run(), run()];
  await eventually('the first has begun', () => jobs.length === 1);
  await processor.close();
  for (const work of [...waiting, run()]) assert.instance(await failed(work), TransientFailure);
  jobs[0]?.();
  assert.is(await first, done);
  assert.is(jobs.length, 1);
});

/** What jobs come to, and how many each child was given, when its children come to these ends. */
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
  const told: Outcome[] = [];
  for (let n = 0; n < count; n += 1)
    told.push(await used.process(versionOf(), [], new AbortController().signal));
  await used.close();
  return { told, jobs };
};

test('what takes a used child too much memory is judged in a fresh one, and blamed on the file only there', async () => {
  const { told, jobs } = await ended(4, [extracted, tooMuch, extracted, extracted, tooMuch, tooMuch]);
  assert.equal(told, [extracted, extracted, extracted, tooMuch]);
  assert.equal(jobs, [2, 3, 1]);
});

test('what takes too much time is not begun again, which would take as much', async () => {
  const { told, jobs } = await ended(3, [extracted, tooLong, extracted]);
  assert.equal(told, [extracted, tooLong, extracted]);
  assert.equal(jobs, [2, 1]);
});
