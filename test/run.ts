import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { resolve as absolute, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { contractFaults, proofsPage } from './contractTable.ts';
import type { Outcome } from './harness.ts';
import { type Pass, passesOf } from './passes.ts';

// `node dist/test/run.js [--long] [--only-engines] [part of a path …]`: several processes at once, each with some test files of one
// folder, since to load what they test takes longer than most of them do; but each file of APART in one of its own.
// The black-box suite runs again on the engines that the environment names (`scripts/engines`; test/passes.ts).
const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean' }, 'only-engines': { type: 'boolean' } },
  allowPositionals: true,
});
const all: Outcome[] = [];

/** These are long by themselves, or start processes that take what they can get. */
const APART = /^dist\/test\/(chaos|demo|nodes)\//;

type Batch = Readonly<{ name: string; files: readonly string[]; env: NodeJS.ProcessEnv }>;

const isAlone = (file: string): boolean => file.includes('.alone.test.');

const bySize = (files: readonly string[]): readonly string[] =>
  [...files].sort((a, b) => statSync(b).size - statSync(a).size);

/** As many files as share a process: fewer load more often than they must, more keep the last core busy alone. */
const MOST_SHARED = 20;

const batchesOf = ({ name: on, files: all, env }: Pass): readonly Batch[] => {
  const folders = new Map<string, string[]>();
  for (const file of all) {
    const name = APART.test(file) ? file : dirname(file);
    folders.set(name, [...(folders.get(name) ?? []), file]);
  }
  return [...folders].flatMap(([name, files]) => {
    const parts = Math.ceil(files.length / MOST_SHARED);
    return Array.from({ length: parts }, (_, part) => ({
      name: [name, parts === 1 ? '' : `${part + 1}/${parts}`, on].filter(Boolean).join(' '),
      env,
      // Long files are mostly long tests: each part gets as many of them.
      files: bySize(files).filter((_file, index) => index % parts === part),
    }));
  });
};

const entries = mkdtempSync(join(tmpdir(), 'intake-tests-'));
process.on('exit', () => rmSync(entries, { recursive: true }));
let made = 0;
/** Static imports: the harness begins as soon as the first suites are declared, and then takes no more. */
const entryOf = (files: readonly string[]): string => {
  made += 1;
  const entry = join(entries, `${made}.mjs`);
  const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(absolute(file)))};\n`);
  writeFileSync(entry, imports.join(''));
  return entry;
};

/** Of a process of seconds a sixth is spent on optimising what then hardly runs, and on collecting garbage early. */
const SHORT_LIVED = ['--interrupt-budget=1000000', '--max-semi-space-size=64', '--min-semi-space-size=32'];
const flagsFor = (files: readonly string[]): readonly string[] =>
  values.long || files.some(isAlone) ? [] : SHORT_LIVED;

const runBatch = ({ name, files, env }: Batch): Promise<void> =>
  new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, [...flagsFor(files), entryOf(files)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...env, ...(values.long ? { TEST_LONG: '1' } : {}) },
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
        `${failed ? 'FAIL' : 'ok  '} ${name.replace('dist/', '')} ${outcome?.passed ?? 0} passed ${seconds} s\n`,
      );
      if (failed)
        print(`${Buffer.concat(output)}\nexit ${code ?? signal}${silent ? ', no test reported' : ''}\n`);
      resolve();
    });
  });

const print = (text: string): void => {
  process.stdout.write(text);
};

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `test/${file}`)
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .map((file) => `dist/${file.replace(/\.ts$/, '.js')}`)
  .sort();
const { passes: planned, skipped: notRun } = passesOf(files, process.env);
const passes = planned.filter(({ name }) => !values['only-engines'] || name !== '');
// The longest first, so that none of them is left over at the end: those of most files, and those of APART, which take as long as many others.
const APART_WEIGHS = 16;
const weight = ({ files }: Batch): number =>
  files.some((file) => APART.test(file)) ? APART_WEIGHS : files.length;
const queue = passes
  .flatMap((pass) => batchesOf({ ...pass, files: pass.files.filter((file) => !isAlone(file)) }))
  .sort((a, b) => weight(b) - weight(a));
const worker = async (): Promise<void> => {
  for (let batch = queue.shift(); batch; batch = queue.shift()) await runBatch(batch);
};
// More than there are cores: many tests wait for most of their time.
await Promise.all(Array.from({ length: availableParallelism() + 3 }, worker));
// Those that measure time have the machine for themselves.
for (const { files: others, env, name } of passes)
  for (const file of others.filter(isAlone)) await runBatch({ name: `${file} ${name}`, files: [file], env });

const sum = (pick: (outcome: Outcome) => number): number =>
  all.reduce((total, outcome) => total + pick(outcome), 0);
const reasons = [...all.flatMap((outcome) => outcome.skipped), ...notRun];
for (const text of all.flatMap(({ notes }) => notes)) print(`${text}\n`);
for (const reason of reasons) print(`skipped: ${reason}\n`);
// Only a whole run can tell that a test is missing; it also writes which tests prove which rule.
const names = [...new Set(all.flatMap((outcome) => outcome.names))];
const contract = readFileSync('docs/contract.md', 'utf8');
const isWhole = positionals.length === 0 && !values['only-engines'];
const unproven = isWhole ? contractFaults(contract, names) : [];
if (isWhole) writeFileSync('dist/contract-proofs.md', proofsPage(contract, names));
for (const fault of unproven) print(`FAIL ${fault}\n`);
const failed = sum((outcome) => outcome.failed) + unproven.length + (files.length === 0 ? 1 : 0);
print(
  `${sum((outcome) => outcome.passed)} passed, ${failed} failed${reasons.length ? `, ${reasons.length} skipped` : ''}\n`,
);
process.exitCode = failed ? 1 : 0;
