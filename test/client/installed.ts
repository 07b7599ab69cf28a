import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { atEnd } from '../harness.ts';

/** What a program ended with. */
export type Ended = Readonly<{ code: number | null; out: string; err: string }>;

/**
 * A project that has the client as npm packs and installs it, without the network. `tsc` checks its files,
 * and compiles them.
 */
export type Project = Readonly<{
  folder: string;
  write(files: Readonly<Record<string, string>>): void;
  tsc(options: object, files: readonly string[]): Ended;
}>;

const run = (folder: string, command: string, ...args: readonly string[]): Ended => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (error) throw error;
  return { code: status, out: stdout, err: stderr };
};

const done = (ended: Ended): string => {
  if (ended.code !== 0) throw new Error(`${ended.out}\n${ended.err}`);
  return ended.out;
};

let installed: Project | undefined;

/**
 * The client as it is packed now, installed in a project within `dist`, where the types of Node.js are found.
 * It goes at the end.
 */
export const installedClient = (): Project => {
  installed ??= install();
  return installed;
};

const install = (): Project => {
  const packed =
    done(run('.', 'npm', 'run', '--silent', 'client:pack'))
      .trim()
      .split('\n')
      .at(-1) ?? '';
  mkdirSync('dist', { recursive: true });
  const folder = mkdtempSync(resolve('dist', 'client-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  };
  write({ 'package.json': '{ "private": true, "type": "module" }' });
  done(run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', resolve('dist', packed)));
  return {
    folder,
    write,
    tsc: (options, files) => {
      write({ 'tsconfig.json': JSON.stringify({ compilerOptions: options, files }) });
      return run(folder, resolve('node_modules/.bin/tsc'));
    },
  };
};

/** Options of TypeScript for a project on Node.js. */
export const onNode = {
  ...{ strict: true, module: 'nodenext', target: 'es2023', types: ['node'] },
  ...{ skipLibCheck: false, verbatimModuleSyntax: false },
};
