import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStandIn } from '../../test/standIn/standIn.ts';
import { listenSilently } from '../../test/support/silent.ts';
import { certificateFor } from '../certificate.ts';
import { executable, type Settings } from '../demo/intake.ts';
import { folderOf } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary = 'commands and a stop beside a node of the event store that accepts and never answers';

const COMMANDS = 3;
const ANSWERED_MS = 2_000;
const STOPPED_MS = 10_000;
const [EARLY_MS, LATE_MS] = [10_000, 60_000];
/** What has not ended by then is killed. */
const GIVE_UP_MS = 20_000;

/**
 * Runs commands and a server on a cluster of which one node is a listener that never answers, the others are
 * a stand-in, and a server whose only node is that listener. True when each command ends within 2 s of its
 * answer, and each server within 10 s of SIGTERM, with no more sockets after a minute than after ten seconds.
 * Linux only: sockets are counted in /proc.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const folder = folderOf(options);
  const [standIn, silent] = [
    await startStandIn({ tls: await certificateFor('localhost') }),
    await listenSilently(),
  ];
  const on = (name: string, ...nodes: readonly string[]): Settings => ({
    ...folder.settings,
    DATA_DIR: join(folder.path, name),
    MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    EVENTSTOREDB_URL: `esdb://${nodes.join(',')}?tlsVerifyCert=false`,
    LOG_LEVEL: 'fatal',
  });
  const frozen = `127.0.0.1:${silent.port}`;
  const cluster = [`localhost:${standIn.port}`, `127.0.0.1:${standIn.port}`, frozen];
  try {
    const lingered = await commands(on('cluster', ...cluster));
    const servers = await Promise.all([
      served('one node of three is frozen', on('cluster', ...cluster)),
      served('the only node is frozen', on('alone', frozen)),
    ]);
    return [
      goal('slowest end of a command, after its answer', lingered, ANSWERED_MS, 'ms'),
      ...servers.flatMap(({ name, early, late, stoppedMs }) => [
        goal(
          `${name}: sockets after ${LATE_MS / 1_000} s`,
          late,
          early,
          `of ${early} after ${EARLY_MS / 1_000} s`,
        ),
        goal(`${name}: end after SIGTERM`, stoppedMs, STOPPED_MS, 'ms'),
      ]),
    ].every(Boolean);
  } finally {
    await Promise.all([standIn.stop(), silent.close()]);
    folder.remove();
  }
};

const goal = (what: string, figure: number, limit: number, unit: string): boolean => {
  const isReached = figure <= limit;
  process.stdout.write(
    `${what.padEnd(52)}${figure.toFixed(0).padStart(7)} ${unit}, goal ${limit}: ${isReached ? 'reached' : 'MISSED'}\n`,
  );
  return isReached;
};

const start = (settings: Settings, words: readonly string[]): ChildProcess =>
  spawn(process.execPath, [executable(), ...words], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** How long a process runs from now, in milliseconds; it is killed after 20 s. */
const endOf = async (child: ChildProcess): Promise<number> => {
  const begun = performance.now();
  const killing = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  clearTimeout(killing);
  return performance.now() - begun;
};

const firstWord = (child: ChildProcess): Promise<unknown> =>
  Promise.race([child.stdout ? once(child.stdout, 'data') : null, once(child, 'exit')]);

/** The longest time from a command's answer to its end. */
const commands = async (settings: Settings): Promise<number> => {
  let longest = 0;
  for (let count = 0; count < COMMANDS; count += 1) {
    const words = count === 0 ? ['company', 'create', '--name', 'Trial'] : ['company', 'list'];
    const child = start(settings, words);
    await firstWord(child);
    longest = Math.max(longest, await endOf(child));
  }
  return longest;
};

type Served = Readonly<{ name: string; early: number; late: number; stoppedMs: number }>;

const served = async (name: string, settings: Settings): Promise<Served> => {
  const child = start(settings, ['serve', '--json']);
  try {
    await firstWord(child);
    const early = await mostSockets(child, EARLY_MS);
    await sleep(LATE_MS - 2 * EARLY_MS);
    const late = await mostSockets(child, EARLY_MS);
    child.kill('SIGTERM');
    return { name, early, late, stoppedMs: await endOf(child) };
  } finally {
    child.kill('SIGKILL');
  }
};

/** The most sockets that a process has open at once within a time. */
const mostSockets = async ({ pid }: ChildProcess, withinMs: number): Promise<number> => {
  let most = 0;
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(100))
    most = Math.max(most, socketsOf(pid ?? 0));
  return most;
};

/** Throws for a process that has ended. */
const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length;

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed in the meantime
  }
};
