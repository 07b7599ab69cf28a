import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Received, startReceiver } from '../../../scripts/receiver.ts';
import { documentOf } from '../../cli/run.ts';
import { runIntake } from '../../support/commandLine.ts';
import { ask as held } from '../../support/conformance.ts';
import { receiptDefinition } from '../../support/definition.ts';
import { startServerProcess } from '../../support/process.ts';
import { testSettings } from '../../support/service.ts';

/** Thirty-two random bytes in base64url: what nobody guesses and nothing else looks like. */
export const drawn = (): string => randomBytes(32).toString('base64url');

export type Answer = Readonly<{ status: number; text: string; headers: Headers }>;
export type Stage = Awaited<ReturnType<typeof setStage>>;

/**
 * The service as a process of its own that logs all it can, with everything that comes out of it kept:
 * answers by whether they are a refusal, its output, what commands print. `end` stops it and gives the files
 * of its folder as well.
 */
export const setStage = async (
  settings: Readonly<Record<string, string>>,
  answer: (request: Received) => { status: number; headers: Record<string, string>; body: string },
) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-secrets-'));
  const receiver = await startReceiver({ answer });
  writeFileSync(join(dataDir, 'receiver.pem'), receiver.ca);
  const environment = testSettings(dataDir, {
    LOG_LEVEL: 'trace',
    WEBHOOK_CA: join(dataDir, 'receiver.pem'),
    ...settings,
  });
  const kept = { log: '', output: '', refusals: '', answers: '', commands: '', evidence: '' };
  const server = await startServerProcess(environment);
  server.child.stderr?.on('data', (chunk: Buffer) => {
    kept.log += chunk;
  });
  server.child.stdout?.on('data', (chunk: Buffer) => {
    kept.output += chunk;
  });

  const command = async <T = unknown>(...args: readonly string[]): Promise<T> => {
    const ended = await runIntake(environment, ...args, '--json');
    kept.commands += ended.stderr;
    return documentOf<T>(ended);
  };
  /** A command whose output nobody is told to keep secret. */
  const told = async (...args: readonly string[]): Promise<void> => {
    kept.commands += JSON.stringify(await command(...args));
  };
  /** Exports the evidence of a submission, of which every byte is kept. */
  const exported = async (submissionId: string): Promise<void> => {
    const folder = join(dataDir, 'exported');
    await told('audit', 'export', submissionId, '--out', folder);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) kept.evidence += readFileSync(join(entry.parentPath, entry.name), 'latin1');
  };
  const ask = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = path.startsWith('http')
      ? await fetch(path, { method, ...init })
      : await held(server.url, method, path, init);
    const text = await response.text();
    const whole = `${response.status} ${JSON.stringify([...response.headers])} ${text}\n`;
    if (response.ok) kept.answers += whole;
    else kept.refusals += whole;
    return { status: response.status, text, headers: response.headers };
  };
  /** Sends what is no HTTP. */
  const raw = (bytes: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('data', (chunk) => {
        kept.refusals += chunk;
      });
      socket.on('error', reject).on('close', () => resolve());
      socket.write(bytes);
    });
  const company = async () => {
    const file = join(dataDir, 'receipt.json');
    writeFileSync(file, JSON.stringify(receiptDefinition));
    const [{ id }] = await Promise.all([
      command<{ id: string }>('company', 'create', '--name', 'ACME'),
      command('workflow', 'publish', file),
    ]);
    await command('workflow', 'assign', 'receipt', '--company', id);
    return id;
  };
  const filesOf = (name: string): Buffer =>
    Buffer.concat(
      readdirSync(dataDir)
        .filter((file) => file.startsWith(name))
        .map((file) => readFileSync(join(dataDir, file))),
    );
  const end = async () => {
    await server.stop();
    const texts = Object.entries(kept).map(([place, text]) => [place, Buffer.from(text)] as const);
    const files = ['log.db', 'tables.db', 'models.db', 'keys.db'].map(
      (name) => [name, filesOf(name)] as const,
    );
    return Object.fromEntries([...texts, ...files]) as Readonly<Record<Place, Buffer>>;
  };
  const remove = async (): Promise<void> => {
    await server.kill();
    await receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { receiver, environment, kept, command, told, exported, ask, raw, company, end, remove };
};

/**
 * Where something may come to light: the log, standard output, refusals, answers, what commands say, and the
 * files.
 */
export type Place =
  | 'log'
  | 'output'
  | 'refusals'
  | 'answers'
  | 'commands'
  | 'evidence'
  | 'log.db'
  | 'tables.db'
  | 'models.db'
  | 'keys.db';
