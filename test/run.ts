import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { resolve as absolute, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Batch, batchesOf, isAlone } from './batches.ts';
import { contractFaults, proofsPage } from './contractTable.ts';
import type { Outcome } from './harness.ts';
import { passesOf } from './passes.ts';

// `node dist/test/run.js [--long] [--only-engines] [part of a path …]`: several processes at once, each with
// some test files (test/batches.ts). The black-box suite runs again on the engines that the environment names
// (`scripts/engines`; test/passes.ts).
const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean' }, 'only-engines': { type: 'boolean' } },
  allowPositionals: true,
});
const all: Outcome[] = [];

/** Free memory that the temporary files of a run may take. */
const MIN_FREE_BYTES = 4 * 1_024 ** 3;
/**
 * In memory, where there is room for it: what is synchronised at once there is synchronised without waiting.
 * A long run writes to the disk.
 */
const temporaryFolder = (): string => {
  const memory = '/dev/shm';
  if (values.long || process.env.TMPDIR || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= MIN_FREE_BYTES ? memory : tmpdir();
};
const entries = mkdtempSync(join(temporaryFolder(), 'intake-tests-'));
process.on('exit', () => rmSync(entries, { recursive: true, force: true }));
let made = 0;
/** Static imports: the harness starts as soon as the first suites are declared, and then takes no more. */
const entryOf = (files: readonly string[]): string => {
  made += 1;
  const entry = join(entries, `${made}.mjs`);
  const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(absolute(file)))};\n`);
  writeFileSync(entry, imports.join(''));
  return entry;
};

/**
 * Of a process of seconds a sixth is spent on optimising what then hardly runs, and on collecting garbage
 * early.
 */
const SHORT_LIVED = ['--interrupt-budget=1000000', '--max-semi-space-size=64', '--min-semi-space-size=32'];
const flagsFor = (files: readonly string[]): readonly string[] =>
  values.long || files.some(isAlone) ? [] : SHORT_LIVED;

/**
 * The processor time, in seconds, of all processes that have ended below this one: on a busy machine it tells more
 * than the clock. Only Linux tells it; elsewhere it is 0.
 */
const processorSeconds = (): number => {
  if (!existsSync('/proc/self/stat')) return 0;
  const text = readFileSync('/proc/self/stat', 'utf8');
  // Behind the name in brackets: cutime and cstime, in hundredths.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  return (Number(user) + Number(system)) / 100;
};
let counted = 0;
/** The part of it that is new since the last call. */
const processorSecondsSince = (): string => {
  const before = counted;
  counted = processorSeconds();
  return (counted - before).toFixed(1);
};

/** How long a process that has ended may still be read. */
const STREAMS_MS = 5_000;

const runBatch = ({ name, files, env }: Batch): Promise<void> =>
  new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, [...flagsFor(files), entryOf(files)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...env, TMPDIR: entries, ...(values.long ? { TEST_LONG: '1' } : {}) },
    });
    const output: Buffer[] = [];
    let outcome: Outcome | undefined;
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('message', (message) => {
      outcome = message as Outcome;
    });
    // A test that spins never lets its own time-out come.
    const limitMs = files.length * (values.long ? 1_800_000 : 180_000) * (env.INTAKE_TEST_ENGINES ? 3 : 1);
    const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
    // What outlives its test may hold its streams open: the run must not wait for it.
    child.on('exit', () => {
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, STREAMS_MS).unref();
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const silent =
        outcome === undefined || (outcome.passed + outcome.failed === 0 && outcome.skipped.length === 0);
      const failed = (outcome?.failed ?? 0) || (silent || code !== 0 ? 1 : 0);
      all.push({
        passed: outcome?.passed ?? 0,
        failed,
        skipped: outcome?.skipped ?? [],
        notes: outcome?.notes ?? [],
        names: outcome?.names ?? [],
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      print(
        `${failed ? 'FAIL' : 'ok  '} ${name.replace('dist/', '')} ${outcome?.passed ?? 0} passed ${seconds} s (processor ${processorSecondsSince()} s)\n`,
      );
      if (failed)
        print(`${Buffer.concat(output)}\nexit ${code ?? signal}${silent ? ', no test reported' : ''}\n`);
      resolve();
    });
  });

const print = (text: string): void => {
  process.stdout.write(text);
};

const LONG_COUNTS = /import \{[^}]*\b(?:long|rounds|drawSeed)\b[^}]*\} from '[./]+harness\.js'/;
const reads = new Map<string, boolean>();
/**
 * Whether a module, or one of test/ that it imports, has other counts in a long run: all else has run in `npm
 * test`.
 */
const differsInLong = (file: string): boolean => {
  const known = reads.get(file);
  if (known !== undefined) return known;
  reads.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)]
    .map(([, path]) => join(dirname(file), path ?? ''))
    .filter((path) => path.startsWith('dist/test/') && path.endsWith('.js'));
  const differs = LONG_COUNTS.test(text) || imported.some(differsInLong);
  reads.set(file, differs);
  return differs;
};

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .map((file) => `dist/${file.replace(/\.ts$/, '.js')}`)
  .filter((file) => !values.long || positionals.length > 0 || differsInLong(file))
  .sort();
const { passes: planned, skipped: notRun } = passesOf(files, process.env);
const passes = planned.filter(({ name }) => !values['only-engines'] || name !== '');
const batches = batchesOf(passes, Boolean(values.long));
const queue = batches.filter(({ files }) => !files.some(isAlone));
const worker = async (): Promise<void> => {
  for (let batch = queue.shift(); batch; batch = queue.shift()) await runBatch(batch);
};
// More than there are cores: many tests wait for most of their time, in a long run fewer of them.
const workers = availableParallelism() + (values.long ? 2 : 3);
await Promise.all(Array.from({ length: workers }, worker));
// Those that measure time have the machine for themselves.
for (const batch of batches) if (batch.files.some(isAlone)) await runBatch(batch);

const sum = (pick: (outcome: Outcome) => number): number =>
  all.reduce((total, outcome) => total + pick(outcome), 0);
const reasons = [...all.flatMap((outcome) => outcome.skipped), ...notRun];
for (const text of all.flatMap(({ notes }) => notes)) print(`${text}\n`);
for (const reason of reasons) print(`skipped: ${reason}\n`);
// Only a whole run can show that a test is missing; it also writes which tests prove which rule.
const names = [...new Set(all.flatMap((outcome) => outcome.names))];
const contract = readFileSync('docs/contract.md', 'utf8');
const isWhole = positionals.length === 0 && !values['only-engines'] && !values.long;
const unproven = isWhole ? contractFaults(contract, names) : [];
if (isWhole) writeFileSync('dist/contract-proofs.md', proofsPage(contract, names));
for (const fault of unproven) print(`FAIL ${fault}\n`);
const failed = sum((outcome) => outcome.failed) + unproven.length + (files.length === 0 ? 1 : 0);
print(
  `${sum((outcome) => outcome.passed)} passed, ${failed} failed${reasons.length ? `, ${reasons.length} skipped` : ''}\n`,
);
process.exitCode = failed ? 1 : 0;
