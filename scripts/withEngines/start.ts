import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startContainers } from './containers.ts';
import { startFerretDb } from './ferretDb.ts';
import { startVersityGateway } from './versityGateway.ts';

export type Say = (text: string) => void;

/** An engine that runs: the settings that name it, and what ends it. */
export type Engine = Readonly<{ settings: Readonly<Record<string, string>>; close(): Promise<void> }>;

/** The engines that run, and the reason for each that does not. `close` ends them and removes their data. */
export type Engines = Engine & Readonly<{ skipped: readonly string[] }>;

/**
 * Starts what this machine can run: containers if Docker does, else programs built by Go. Never throws for
 * want of one.
 */
export const startEngines = async (say: Say): Promise<Engines> => {
  if (!(await works('docker', 'info'))) return startPrograms(say, []);
  const containers = await collect([['Docker', () => startContainers(say)]]);
  return containers.skipped.length === 0 ? containers : startPrograms(say, containers.skipped);
};

const startPrograms = async (say: Say, skipped: readonly string[]): Promise<Engines> => {
  if (!(await works('go', 'version'))) {
    const reason = 'neither Docker nor Go is there to run engines';
    return { settings: {}, skipped: [...skipped, reason], close: async () => undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), 'intake-engines-'));
  const programs = await collect([
    ['KurrentDB', () => Promise.reject(new Error('it takes Docker'))],
    ['FerretDB', () => startFerretDb(folder, say)],
    ['the Versity gateway', () => startVersityGateway(folder, say)],
  ]);
  const close = async (): Promise<void> => {
    await programs.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...programs, skipped: [...skipped, ...programs.skipped], close };
};

type Start = readonly [name: string, start: () => Promise<Engine>];

const collect = async (starts: readonly Start[]): Promise<Engines> => {
  const engines: Engine[] = [];
  const skipped: string[] = [];
  for (const [name, start] of starts) {
    try {
      engines.push(await start());
    } catch (error) {
      skipped.push(`${name}: ${(error as Error).message}`);
    }
  }
  return {
    settings: Object.assign({}, ...engines.map(({ settings }) => settings)),
    skipped,
    close: async () => {
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
};

const works = (command: string, ...args: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(command, args, { timeout: 10_000 }, (error) => resolve(error === null));
  });
