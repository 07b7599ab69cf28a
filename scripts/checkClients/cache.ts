import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'intake', 'check-clients');

/** Says that a program can't be installed here, which is no fault of the document. */
export class Unavailable extends Error {}

/**
 * A folder below the user's cache folder that `fill` has filled once. Throws `Unavailable` where that fails.
 */
export const cached = async (name: string, fill: (folder: string) => Promise<unknown>): Promise<string> => {
  const folder = join(CACHE, name);
  // Environments of Python hold their own path: they can't be filled elsewhere and renamed.
  const filled = join(folder, '.filled');
  if (existsSync(filled)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await fill(folder);
    writeFileSync(filled, '');
    return folder;
  } catch (error) {
    const reason = (error as Error).message.trim().split('\n').at(-1);
    throw new Unavailable(`${name} could not be installed: ${reason}`);
  }
};

/** A folder that keeps what a compiler makes of the dependencies. */
export const kept = (name: string): string => {
  const folder = join(CACHE, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};

/** Packages of npm, without their install scripts; gives the path of their commands. */
export const npmPackage = async (name: string, version: string): Promise<string> => {
  const folder = await cached(`${name.replaceAll(/\W/g, '-')}-${version}`, (filling) =>
    run('npm', [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefix',
      filling,
      `${name}@${version}`,
    ]),
  );
  return join(folder, 'node_modules', '.bin');
};

/** An environment of Python with these packages (`name==version`); gives the path of its commands. */
export const pythonPackages = async (name: string, packages: readonly string[]): Promise<string> => {
  const folder = await cached(name, async (filling) => {
    await run('python3', ['-m', 'venv', filling]);
    await run(join(filling, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  });
  return join(folder, 'bin');
};

/** A jar of Maven Central. */
export const jar = async (group: string, artifact: string, version: string): Promise<string> => {
  const folder = await cached(`${artifact}-${version}`, (filling) =>
    run('mvn', [
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=${group}:${artifact}:${version}`,
      `-DoutputDirectory=${filling}`,
    ]),
  );
  return join(folder, `${artifact}-${version}.jar`);
};
