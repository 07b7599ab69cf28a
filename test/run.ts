import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { contractFaults, proofsPage } from './runner/contractTable.ts';
import { differsInLong, isAlone, isLongOnly, type Job, jobsOf } from './runner/jobs.ts';
import { endLeft, killLeft } from './runner/left.ts';
import { passesOf } from './runner/passes.ts';
import { patience } from './runner/patience.ts';
import { type Ended, SHORT_LIVED, startTestProcess, type TestProcess } from './runner/process.ts';
import { processorSeconds } from './runner/processorTime.ts';
import { type Cost, checkedOut, costsOf, type Summary, timeLine } from './runner/summary.ts';
import { temporaryFolder } from './runner/temporaryFolder.ts';

// `node dist/test/run.js [--long] [--only-engines] [--without PART] [--in FOLDER] [part of a path …]`: some
// processes, each of which takes one test file after the other; in a long run each file has its own. The
// black-box suite runs again on the engines that the environment names (`scripts/engines`;
// test/runner/passes.ts). A file that failed runs once more, alone. `--in` takes the `….test.js` of another
// folder, and writes its summary there.
const { values, positionals } = parseArgs({
  options: {
    long: { type: 'boolean' },
    'only-engines': { type: 'boolean' },
    in: { type: 'string' },
    without: { type: 'string', multiple: true },
  },
  allowPositionals: true,
});
const isLong = Boolean(values.long);
const started = performance.now();
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const folder = mkdtempSync(join(temporaryFolder(isLong), 'intake-tests-'));
process.on('exit', () => {
  killLeft(folder);
  rmSync(folder, { recursive: true, force: true });
});

/** A test that spins never lets its own time-out come. */
const LIMIT_MS = (isLong ? 1_800_000 : 600_000) * patience;
const limitOf = ({ INTAKE_TEST_ENGINES }: NodeJS.ProcessEnv): number =>
  LIMIT_MS * (INTAKE_TEST_ENGINES ? 3 : 1);
const start = ({ env }: Job, flags: readonly string[]): TestProcess =>
  startTestProcess(
    { ...env, TMPDIR: folder, TEST_MARK: folder, ...(isLong ? { TEST_LONG: '1' } : {}) },
    flags,
  );

type Failure = Readonly<{ job: Job; tests: readonly string[] }>;
const failures: Failure[] = [];
/** What fails when a process ends belongs to no file, and is not tried again. */
const atEnds: string[] = [];
const costs: Cost[] = [];
/** By the last run of each file. */
const passed = new Map<Job, number>();
const skipped: string[] = [];
const notes: string[] = [];
const names: string[] = [];

/** Counts what a file's run has come to, and gives the names of what failed. */
const counted = (job: Job, ended: Ended): readonly string[] => {
  const { name, file } = job;
  const { outcome, seconds, output, exit } = ended;
  const isSilent = !outcome || (outcome.passed + outcome.failed === 0 && outcome.skipped.length === 0);
  const failed = isSilent ? [`no test reported (exit ${exit})`] : outcome.failures;
  // What a process of an earlier file has taken is only counted when it ends.
  const processor = Math.min(ended.processorSeconds, seconds * availableParallelism());
  costs.push({ file, seconds, processorSeconds: processor });
  const cost = `${seconds.toFixed(1)} s (processor ${processor.toFixed(1)} s)`;
  print(`${failed.length > 0 ? 'FAIL' : 'ok  '} ${name} ${outcome?.passed ?? 0} passed ${cost}`);
  if (failed.length > 0) print(output);
  names.push(...(outcome?.names ?? []).map((test) => `${name} › ${test}`));
  skipped.push(...(outcome?.skipped ?? []));
  notes.push(...(outcome?.notes ?? []));
  passed.set(job, outcome?.passed ?? 0);
  return failed;
};

const runIn = async (testProcess: TestProcess, job: Job): Promise<void> => {
  const tests = counted(job, await testProcess.run(resolve(job.file), limitOf(job.env)));
  if (tests.length > 0) failures.push({ job, tests });
};

const end = async (testProcess: TestProcess): Promise<void> => {
  if (!testProcess.isThere()) return;
  const { outcome, output, exit } = await testProcess.end(limitOf(testProcess.env));
  const failed = outcome ? outcome.failures : [`a process ended before its end (exit ${exit})`];
  if (failed.length > 0) print(output);
  atEnds.push(...failed);
};

const runAlone = async (job: Job): Promise<void> => {
  const testProcess = start(job, []);
  await runIn(testProcess, job);
  await end(testProcess);
};

const files = values.in
  ? readdirSync(values.in)
      .filter((file) => file.endsWith('.test.js'))
      .map((file) => join(values.in ?? '', file))
  : readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `dist/test/${file.replace(/\.ts$/, '.js')}`);
/** Who names files, or engines, gets those of the long half too. */
const isNamed = positionals.length > 0 || values['only-engines'] || values.in;
const chosen = files
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .filter((file) => !values.without?.some((part) => file.includes(part)))
  .filter((file) => (isLong ? positionals.length > 0 || differsInLong(file) : isNamed || !isLongOnly(file)))
  .sort();
const { passes, skipped: notRun } = passesOf(chosen, process.env);
const jobs = jobsOf(
  passes.filter(({ isOnEngines }) => !values['only-engines'] || isOnEngines),
  isLong,
);

const queue = jobs.filter((job) => !isAlone(job));
const lane = async (): Promise<void> => {
  let shared: Readonly<{ env: NodeJS.ProcessEnv; testProcess: TestProcess }> | undefined;
  for (let job = queue.shift(); job; job = queue.shift()) {
    if (isLong) {
      await runAlone(job);
      continue;
    }
    if (shared && (shared.env !== job.env || !shared.testProcess.isThere())) {
      await end(shared.testProcess);
      shared = undefined;
    }
    shared ??= { env: job.env, testProcess: start(job, SHORT_LIVED) };
    await runIn(shared.testProcess, job);
  }
  if (shared) await end(shared.testProcess);
};
// More than there are cores: many tests wait for most of their time, in a long run fewer of them.
await Promise.all(Array.from({ length: availableParallelism() + (isLong ? 2 : 3) }, lane));
// Those that measure time have the machine for themselves.
for (const job of jobs.filter(isAlone)) await runAlone(job);

/**
 * The files that failed, once more, one after the other: what passes then is unsteady, which is a defect, but
 * not of this change.
 */
const first = failures.splice(0);
if (first.length > 0) print(`\n${first.length} files failed and run once more, alone:`);
for (const { job } of first) await runAlone(job);
const testsOf = (some: readonly Failure[]): readonly string[] =>
  some.flatMap(({ job, tests }) => tests.map((test) => `${job.name} › ${test}`));
const failedAgain = testsOf(failures);
const unsteady = testsOf(first).filter((test) => !failedAgain.includes(test));

for (const { file, command } of await endLeft(folder)) print(`left: ${file ?? '?'} ${command}`);
for (const text of notes) print(text);
const reasons = [...new Set([...skipped, ...notRun])];
for (const reason of reasons) print(`skipped: ${reason}`);
// Only a whole run can show that a test is missing; it also writes which tests prove which rule.
const isWhole = !isNamed && !isLong && !values.without;
const contract = readFileSync('docs/contract.md', 'utf8');
const passedNames = [...new Set(names)];
const unproven = isWhole ? contractFaults(contract, passedNames) : [];
if (isWhole) writeFileSync('dist/contract-proofs.md', proofsPage(contract, passedNames));
const faults = [
  ...failedAgain,
  ...atEnds,
  ...unproven,
  ...(chosen.length === 0 ? ['no test file has such a path'] : []),
];

const summary: Summary = {
  ...checkedOut(),
  passed: [...passed.values()].reduce((sum, count) => sum + count, 0),
  failed: faults.length,
  skipped: reasons.length,
  unsteady,
  ...costsOf(costs, (performance.now() - started) / 1_000, processorSeconds()),
};
const place = values.in ?? (isWhole ? 'dist' : undefined);
if (place) writeFileSync(join(place, 'test-run.json'), `${JSON.stringify(summary, null, 2)}\n`);
for (const over of isLong ? [] : summary.overBudget) print(`over budget: ${over}`);
for (const test of unsteady) print(`unsteady: ${test}`);
for (const fault of faults) print(`FAIL ${fault}`);
print(timeLine(summary));
print(
  `${summary.passed} passed, ${summary.failed} failed${reasons.length ? `, ${reasons.length} skipped` : ''}`,
);
process.exit(faults.length > 0 ? 1 : 0);
