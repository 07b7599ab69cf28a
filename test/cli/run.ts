import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';

/** The compiled executable. */
export const EXECUTABLE = fileURLToPath(new URL('../../cli/intake.js', import.meta.url));

export type Ended = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/** A command that runs: what it has said so far, and how it ends. */
export type Running = Readonly<{
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}>;

/** Starts `intake …` with these settings and no others. */
export const start = (settings: Readonly<Record<string, string>>, ...args: readonly string[]): Running => {
  const running = startProgram(settings, process.execPath, [...process.execArgv, EXECUTABLE, ...args]);
  running.child.stdin?.end();
  return running;
};

/** Starts a program with these settings and no others; what is written to its `child.stdin` is its input. */
export const startProgram = (
  settings: Readonly<Record<string, string>>,
  program: string,
  args: readonly string[],
): Running => {
  const env = { PATH: process.env.PATH, ...settings };
  const child = spawn(program, args, { env, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
};

/** A folder of its own, and commands that work on it. */
export const workplace = () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-cli-'));
  const settings = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', PORT: '0', STORAGE_PORT: '0' };
  return {
    ...commandsOn(folder, settings),
    /** Commands that have other settings besides. */
    with: (more: Readonly<Record<string, string>>) => commandsOn(folder, { ...settings, ...more }),
  };
};

const commandsOn = <S extends Readonly<Record<string, string>>>(folder: string, settings: S) => {
  const intake = (...words: readonly string[]): Promise<Ended> => runIntake(settings, ...words);
  return {
    folder,
    settings,
    intake,
    /** The same in a process of its own, as a shell would. */
    spawned: (...words: readonly string[]): Promise<Ended> => start(settings, ...words).ended,
    /** Runs a command that must do it, and gives the one JSON document on its standard output. */
    json: async <T>(...args: readonly string[]): Promise<T> => documentOf(await intake(...args, '--json')),
    /** Starts a server and resolves with its first line, when it answers. */
    serve: async (...args: readonly string[]) => {
      const server = start(settings, 'serve', '--json', ...args);
      await eventually('a server that answers', () => server.stdout().includes('\n') || exited(server));
      assert.is(exited(server), false, server.stderr());
      const ready = JSON.parse(server.stdout()) as { url: string | null; storageUrl: string; pid: number };
      return { ...server, ready };
    },
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
};

const exited = ({ child }: Running): boolean => child.exitCode !== null || child.signalCode !== null;

/** The JSON document that is all of a command's standard output. */
export const documentOf = <T>({ code, stdout, stderr }: Ended): T => {
  assert.is(code, 0, stderr);
  assert.ok(stdout.endsWith('\n') && !stdout.slice(0, -1).includes('\n'), `one line: ${stdout}`);
  return JSON.parse(stdout) as T;
};

export type Refusal = Readonly<{
  code: string;
  detail: string;
  hint: string | null;
  exitCode: number;
  errors: readonly Readonly<{ pointer: string; detail: string }>[];
}>;

/** What a failed command with `--json` says on standard error; its standard output must be empty. */
export const refusalOf = ({ code, stdout, stderr }: Ended): Refusal => {
  assert.is(stdout, '');
  const refusal = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Refusal;
  assert.is(refusal.exitCode, code);
  return refusal;
};
