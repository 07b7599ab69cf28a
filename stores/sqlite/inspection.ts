import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A file up to this size is inspected in some 10 ms. */
export const SMALL_BYTES = 8_000_000;

/** Gives 'ok', or the first thing that is wrong with the file: reads all of it once. */
export const QUICK_CHECK = `SELECT replace(quick_check, '*** in database main ***' || char(10), '') FROM pragma_quick_check(1)`;

/** The result of an inspection: 'ok', the damage, or why there was no inspection. */
export type Inspected = Readonly<{ found: string } | { failed: string }>;

/**
 * Inspects the file at `path` in a process of its own with a lower priority, and gives what
 * `QUICK_CHECK` does. Null when the signal was aborted. Throws when the process comes to no end of its own.
 */
export const inspectBeside = async (path: string, signal: AbortSignal): Promise<string | null> => {
  const child = fork(new URL('./inspectionChild.js', import.meta.url), [path], { env: {}, execArgv: [] });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  if (signal.aborted) kill();
  let inspected: Inspected | null = null;
  child.once('message', (message: Inspected) => {
    inspected = message;
  });
  const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
  signal.removeEventListener('abort', kill);
  if (signal.aborted) return null;
  const outcome = inspected as Inspected | null;
  if (outcome && 'found' in outcome) return outcome.found;
  throw new Error(
    `${path} could not be inspected: ${outcome?.failed ?? `it ended with ${killedBy ?? code}`}`,
  );
};
