import * as assert from 'uvu/assert';
import { PassingFailure } from '../../processing/errors.ts';
import type { Child } from '../../processing/isolation/childProcess.ts';
import { createProcessor } from '../../processing/process.ts';
import type { Outcome } from '../../processing/types.ts';
import { eventually, suite } from '../harness.ts';
import { versionOf } from './files.ts';

const test = suite('the processor’s queue and its children');

const tooMuch: Outcome = { kind: 'failed', reason: 'too much memory' };
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
  for (const work of [...waiting, run()]) assert.instance(await failed(work), PassingFailure);
  jobs[0]?.();
  assert.is(await first, done);
  assert.is(jobs.length, 1);
});

test('what ends a used child is judged in a fresh one, and blamed on the file only there', async () => {
  const outcomes: Outcome[] = [extracted, tooMuch, extracted, extracted, tooMuch, tooMuch];
  const jobs: number[] = [];
  const start = (): Child => {
    const index = jobs.push(0) - 1;
    let ended = false;
    return {
      pid: undefined,
      alive: () => !ended,
      run: async () => {
        jobs[index] = (jobs[index] ?? 0) + 1;
        const outcome = outcomes.shift();
        if (!outcome) throw new Error('one job too many');
        ended = outcome === tooMuch;
        return outcome;
      },
      stop: async () => {},
    };
  };
  const used = createProcessor({ concurrency: 1 }, start);
  const ended: Outcome[] = [];
  for (let count = 0; count < 4; count += 1)
    ended.push(await used.process(versionOf(), [], new AbortController().signal));
  assert.equal(ended, [extracted, extracted, extracted, tooMuch]);
  assert.equal(jobs, [2, 3, 1]);
  await used.close();
});
