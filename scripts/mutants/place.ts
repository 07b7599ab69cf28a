import { fork } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** How a test file ended: with failures of tests that prove the rule, without, or without a report at all. */
export type Ended = Readonly<{ kind: 'failed' | 'passed' | 'nothing run' | 'no report'; output: string }>;

/** A copy of what is compiled, beside links to all else, in which files can be changed. */
export type Place = Readonly<{
  /** Puts another text into a compiled file while `work` runs. */
  changed<T>(file: string, text: string, work: () => Promise<T>): Promise<T>;
  /** Runs the tests of a compiled file that prove a rule. */
  run(file: string, rule: string): Promise<Ended>;
  remove(): void;
}>;

/** Of a process of seconds a sixth is spent on optimising what then hardly runs. */
const SHORT_LIVED = ['--interrupt-budget=1000000', '--max-semi-space-size=64', '--min-semi-space-size=32'];
const TIMEOUT_MS = 90_000;

export const createPlace = (): Place => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-mutants-'));
  for (const name of readdirSync('.'))
    if (name !== 'dist' && !name.startsWith('.')) symlinkSync(resolve(name), join(folder, name));
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  return {
    changed: async (file, text, work) => {
      const path = join(folder, file);
      const before = readFileSync(path);
      writeFileSync(path, text);
      try {
        return await work();
      } finally {
        writeFileSync(path, before);
      }
    },
    run: (file, rule) => runFile(folder, file, rule),
    remove: () => rmSync(folder, { recursive: true }),
  };
};

const runFile = (folder: string, file: string, rule: string): Promise<Ended> =>
  new Promise((done) => {
    const child = fork(join(folder, file), {
      cwd: folder,
      env: { ...process.env, TEST_RULE: rule },
      execArgv: SHORT_LIVED,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk));
    let outcome: Readonly<{ passed: number; failed: number }> | undefined;
    child.on('message', (message) => {
      outcome = message as typeof outcome;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.on('close', () => {
      clearTimeout(timer);
      done({ kind: kindOf(outcome), output: String(Buffer.concat(output)) });
    });
  });

const kindOf = (outcome: Readonly<{ passed: number; failed: number }> | undefined): Ended['kind'] => {
  if (outcome === undefined) return 'no report';
  if (outcome.failed > 0) return 'failed';
  return outcome.passed > 0 ? 'passed' : 'nothing run';
};
