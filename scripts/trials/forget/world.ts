import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runIntake } from '../../../test/support/commandLine.ts';
import { freePort } from '../../../test/support/freePort.ts';
import { type ServerProcess, startServerProcess } from '../../../test/support/process.ts';
import type { Settings } from '../../demo/intake.ts';
import { type Receiver, receiverSettings, startReceiver } from '../../receiver.ts';
import { settingsOf } from '../served.ts';
import { type Finds, lookInto, lookIntoFolder } from './look.ts';
import type { Planted } from './planted.ts';
import { type Caller, callerOf, SLUG } from './subjects.ts';

/**
 * The callers: an API key, an administrator of its company, one of the platform, and whoever has no
 * account.
 */
export type Admitted = readonly [key: Caller, administrator: Caller, platform: Caller, anybody: Caller];

/** A service on a folder, its receiver, and what it wrote so far. */
export type World = Readonly<{
  url: string;
  settings: Settings;
  receiver: Receiver;
  /** A folder beside that of the service. */
  exports: string;
  /** Starts the service, which runs until `stop` or `kill`. */
  start(more?: Settings): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Copies the folder of the stopped service, without read models, as `docs/operating.md` says. */
  backUp(): void;
  /**
   * Puts that copy in place of the stopped service's folder, all but the ledger; `name`: only what is called
   * so.
   */
  restore(name?: string): void;
  admit(): Promise<Admitted>;
  /** Adds what is found in the folder, in the temporary files and in what the service wrote. */
  look(finds: Finds, planted: readonly Planted[]): void;
  /**
   * Waits until deliveries of the last webhooks are forgotten: nothing is found in the folder, or it does not
   * get less.
   */
  forgotten(planted: readonly Planted[]): Promise<Finds>;
  close(): Promise<void>;
}>;

/** What is delivered later: a failed delivery stays pending. */
export const SLOW: Settings = { WEBHOOK_RETRY_DELAYS: '2h,2h,2h' };
const PROMPT: Settings = { WEBHOOK_RETRY_DELAYS: '50ms,50ms,50ms', DELIVERY_RETENTION: '1s' };

const FORGOTTEN_MS = 30_000;

/**
 * A folder, and a receiver that answers approvals with an error; one more host is its address under another
 * name.
 */
export const openWorld = async (path: string, deadHost: string): Promise<World> => {
  const [data, temporary, exports] = ['data', 'tmp', 'exports'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [data, temporary, exports]) mkdirSync(folder, { recursive: true });
  const receiver = await startReceiver({
    answer: ({ headers }) => ({ status: refused(headers) ? 503 : 200 }),
  });
  const [port, storagePort] = [await freePort(), await freePort()];
  const reached = receiverSettings(receiver, exports);
  const settings: Settings = {
    ...settingsOf(data),
    ...reached,
    PORT: `${port}`,
    STORAGE_PORT: `${storagePort}`,
    TMPDIR: temporary,
    WEBHOOK_RESOLVE: `${reached.WEBHOOK_RESOLVE},${deadHost}=127.0.0.1`,
    AUTH_FAILURES: '100000',
    LOG_LEVEL: 'debug',
    // Where evidence is exported over HTTP.
    EVIDENCE_KEY: Buffer.alloc(32, 7).toString('base64'),
    SWEEP: '1s',
    WORKERS: '2',
  };
  const url = `http://127.0.0.1:${port}`;
  const servers: ServerProcess[] = [];
  const look: World['look'] = (finds, planted) => {
    lookIntoFolder(finds, 'DATA_DIR', data, planted);
    lookIntoFolder(finds, 'TMPDIR', temporary, planted);
    for (const server of servers) lookInto(finds, 'log', Buffer.from(server.written()), planted);
  };
  const world: World = {
    ...{ url, settings, receiver, exports, look },
    start: async (more = PROMPT) => void servers.push(await startServerProcess({ ...settings, ...more })),
    stop: async () => void (await servers.at(-1)?.stop()),
    kill: async () => servers.at(-1)?.kill(),
    ...copying(data, join(path, 'copy')),
    admit: () => admit(url, settings, exports),
    forgotten: (planted) => forgotten(() => foundBy(look, planted)),
    close: async () => {
      const last = servers.at(-1)?.child;
      if (last?.exitCode === null && last.signalCode === null) await servers.at(-1)?.kill();
      await receiver.close();
    },
  };
  return world;
};

const copying = (data: string, copy: string): Pick<World, 'backUp' | 'restore'> => {
  const isCopied = (name: string): boolean => !/^(models|forgotten)\.db/.test(name);
  return {
    backUp: () => {
      for (const name of readdirSync(data).filter(isCopied))
        cpSync(join(data, name), join(copy, name), { recursive: true });
    },
    restore: (only) => {
      const isRestored = (name: string): boolean =>
        only === undefined ? !name.startsWith('forgotten.db') : name === only;
      for (const name of readdirSync(data).filter(isRestored)) rmSync(join(data, name), { recursive: true });
      for (const name of readdirSync(copy).filter(isRestored))
        cpSync(join(copy, name), join(data, name), { recursive: true });
    },
  };
};

const refused = (headers: Readonly<Record<string, unknown>>): boolean =>
  headers['x-webhook-event'] === 'submission.approved';

/** What is found in the folder, in the temporary files and in what the service wrote. */
export const foundBy = (look: World['look'], planted: readonly Planted[]): Finds => {
  const finds: Finds = new Map();
  look(finds, planted);
  return finds;
};

const forgotten = async (found: () => Finds): Promise<Finds> => {
  let finds = found();
  for (const end = performance.now() + FORGOTTEN_MS; finds.size > 0 && performance.now() < end; ) {
    await sleep(500);
    finds = found();
  }
  return finds;
};

const PASSWORD = 'correct horse battery staple';

const admit = async (url: string, settings: Settings, folder: string): Promise<Admitted> => {
  const path = join(folder, 'workflow.json');
  writeFileSync(path, JSON.stringify(definition));
  const answer = async (...words: readonly string[]) => {
    const { stdout, stderr } = await runIntake(settings, ...words, '--json');
    if (stdout === '') throw new Error(`intake ${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const { id: companyId } = await answer('company', 'create', '--name', 'Forgetful');
  await answer('workflow', 'publish', path);
  await answer('workflow', 'assign', SLUG, '--company', companyId);
  const { key } = await answer('key', 'create', '--company', companyId);
  const anybody = callerOf(url, null);
  const administrator = async (...options: readonly string[]): Promise<Caller> => {
    const [, role] = options;
    const email = `${role}@example.com`;
    const { token } = await answer('invite', '--email', email, ...options);
    await anybody.post('/api/invitation/complete', { token, password: PASSWORD });
    const session = await anybody.post('/api/auth/sessions', { email, password: PASSWORD });
    return callerOf(url, session.token);
  };
  const own = await administrator('--role', 'org_admin', '--company', companyId);
  return [callerOf(url, key), own, await administrator('--role', 'super_admin'), anybody];
};

const field = (name: string, required: boolean, type: string) => ({
  name,
  required,
  description: name,
  type,
});

const definition = {
  slug: SLUG,
  name: 'Forgotten',
  upload: {
    minFiles: 1,
    maxFiles: 3,
    acceptedFormats: ['application/json', 'text/plain', 'image/jpeg', 'application/pdf'],
    fileLabels: [],
    maxFileSizeMb: 200,
  },
  outputSchema: [
    field('company', true, 'string'),
    field('reference', false, 'string'),
    field('date', true, 'date'),
    field('total', true, 'number'),
  ],
  processing: {
    reviewBelow: 0.5,
    fraud: {
      checks: ['duplicate_file', 'duplicate_data'],
      businessKey: ['company', 'total'],
      requireResolution: true,
    },
  },
};
