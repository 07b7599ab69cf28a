import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Say } from './start.ts';

const SOURCES = fileURLToPath(new URL('../../../scripts/withEngines/', import.meta.url));
const run = promisify(execFile);

/**
 * Kept here, so that Go links them once: `npm ci` removes them, and Go then makes them anew from what it
 * keeps itself.
 */
const BUILT = fileURLToPath(new URL('../../../node_modules/.cache/intake-engines/', import.meta.url));

/**
 * Builds a program from its module beside this file, at the versions that its go.mod and go.sum pin, and
 * gives its path. It is called as the module unless told. The first time takes a minute or two, later ones no
 * time. Throws when it can't be built.
 */
export const build = async (module: string, what: string, say: Say, name = module): Promise<string> => {
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 1000);
  const program = join(BUILT, name);
  await mkdir(BUILT, { recursive: true });
  say(`building ${name} …`);
  const progress = setInterval(() => say(`still building ${name} (${seconds()} s)`), 10_000);
  try {
    await run('go', ['build', '-o', program, what], { cwd: join(SOURCES, module), timeout: 600_000 });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`it can’t be built: ${stderr.trim().split('\n').at(-1) || (error as Error).message}`);
  } finally {
    clearInterval(progress);
  }
  return program;
};

/** A running program. `firstLine` and `broken` reject, with its output, when it ends by itself. */
export type Program = Readonly<{ firstLine: Promise<string>; broken: Promise<never>; stop(): Promise<void> }>;

// It ends with its standard input, that is with this process, however that dies; and Ctrl-C does not reach
// it.
const LIFELINE =
  'exec 3<&0; cat <&3 >/dev/null & "$@" </dev/null & wait -n; kill $(jobs -p) 2>/dev/null; wait';

/** Starts a program that never outlives this process. */
export const start = (
  path: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Program => {
  const child = spawn('bash', ['-c', LIFELINE, 'lifeline', path, ...args], {
    env: { ...process.env, ...environment },
    detached: true,
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk).slice(-2_000);
  });
  const ended = once(child, 'close');
  const broken = ended.then((): never => {
    throw new Error(`it ended: ${output.trim() || 'without output'}`);
  });
  const lines = createInterface(child.stdout);
  const firstLine = Promise.race([once(lines, 'line').then(([line]) => String(line)), broken]);
  // Callers that wait for them get the failure; others stop it.
  for (const outcome of [broken, firstLine]) outcome.catch(() => undefined);
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
  };
  return { firstLine, broken, stop };
};

/** Resolves when `probe` no longer throws; throws its last error after `limitMs`. */
export const answers = async (probe: () => Promise<unknown>, limitMs = 20_000): Promise<void> => {
  const end = performance.now() + limitMs;
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(50);
    }
  }
};
