import * as assert from 'uvu/assert';
import { PassingFailure } from '../../processing/errors.ts';
import type { Child } from '../../processing/isolation/childProcess.ts';
import { createProcessor } from '../../processing/process.ts';
import type { Outcome } from '../../processing/types.ts';
import { eventually, suite } from '../harness.ts';
import { versionOf } from './files.ts';

const test = suite('the processor’s queue');

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
