import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Role, roles } from '../../cli/runtime.ts';
import type { Mode } from '../../kernel/scope.ts';
import { serve } from '../../runtime/serve.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { type Received, type ReceiverOptions, startReceiver } from '../../scripts/receiver.ts';
import { documentOf } from '../cli/run.ts';
import { atEnd } from '../harness.ts';
import { type Client, client } from './client.ts';
import { keptIntake } from './commandLine.ts';
import { type Conformance, condemnFaults, servedConformance } from './conformance.ts';
import { receiptDefinition } from './definition.ts';
import { keptReader } from './keptReader.ts';
import { holdLogToSchemas } from './keptSchemas.ts';
import { ownEngines } from './ownEngines.ts';

export type TestService = Awaited<ReturnType<typeof startService>>;

/**
 * Settings of a service on free ports that sends webhooks to receivers on this machine, with limits that no
 * test but theirs reaches.
 */
export const testSettings = (dataDir: string, more: Readonly<Record<string, string>> = {}) => ({
  PORT: '0',
  STORAGE_PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
  // Each worker is a process more: a test that is about reading at once asks for them.
  WORKERS: '1',
  RATE_LIMIT: '100000',
  AUTH_FAILURES: '100000',
  WEBHOOK_EGRESS: 'any',
  WEBHOOK_RESOLVE: 'receiver.example=127.0.0.1',
  WEBHOOK_RETRY_DELAYS: '50ms,100ms,150ms',
  ...more,
});

type Definition = Readonly<{ slug: string; [member: string]: unknown }>;
type NewKey = Readonly<{ id: string; key: string }>;

/**
 * The service in this process, on the embedded stores or the engines of this run, whole unless told, with a
 * webhook receiver. Tests of it see what its users see: HTTP, the command line beside it, the receiver.
 * `close` holds every event in the log to its schema, and removes everything.
 */
export const startService = async (
  settings: Readonly<Record<string, string>> = {},
  receiving: ReceiverOptions = {},
  played: readonly Role[] = roles,
) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-test-'));
  const conformance: Conformance[] = [];
  const receiver = await startReceiver({
    ...receiving,
    answer: async (request) => {
      holdToDocument(request, conformance[0]);
      return (await receiving.answer?.(request)) ?? {};
    },
  });
  const ca = join(dataDir, 'receiver.pem');
  writeFileSync(ca, receiver.ca);
  const engines = await ownEngines();
  const own = { WEBHOOK_CA: ca, ...engines.settings, ...settings };
  const environment = testSettings(dataDir, own);
  const config = readConfig(environment);
  const service = await serve(config, played, undefined, keptReader);
  const url = service.url ?? '';
  if (service.url) conformance.push(await servedConformance(service.url));

  const operator = keptIntake(environment);
  const intake = async <T = unknown>(...args: readonly string[]): Promise<T> =>
    documentOf<T>(await operator.run(...args, '--json'));

  const key = async (companyId: string | null, mode: Mode = 'live'): Promise<NewKey & { api: Client }> => {
    const scope = companyId === null ? ['--unscoped'] : ['--company', companyId];
    const made = await intake<NewKey>('key', 'create', ...scope, ...(mode === 'test' ? ['--test'] : []));
    return { ...made, api: client(url, made.key) };
  };

  const published = new Map<string, Readonly<{ text: string; done: Promise<unknown> }>>();
  const publish = (definition: Definition): Promise<unknown> => {
    const text = JSON.stringify(definition);
    const done = publishFile(definition.slug, text);
    published.set(definition.slug, { text, done });
    return done;
  };
  const publishFile = (slug: string, text: string): Promise<unknown> => {
    const file = join(dataDir, `${slug}.workflow.json`);
    writeFileSync(file, text);
    return intake('workflow', 'publish', file);
  };
  /** Publishes a definition unless it is the last one of its slug that was published here. */
  const ensurePublished = (definition: Definition): Promise<unknown> => {
    const last = published.get(definition.slug);
    return last?.text === JSON.stringify(definition) ? last.done : publish(definition);
  };

  return {
    url,
    healthUrl: service.healthUrl,
    /** A folder that is removed with the service. */
    dataDir,
    environment,
    config,
    receiver,
    /** Runs `intake … --json` beside the service and gives its answer; it must succeed. */
    intake,
    publish,
    /** A company that may use the workflow, with a key; without a definition the receipt's. */
    company: async (definition: Definition = receiptDefinition, mode: Mode = 'live') => {
      const [{ id }] = await Promise.all([
        intake<{ id: string }>('company', 'create', '--name', 'ACME'),
        ensurePublished(definition),
      ]);
      const [made] = await Promise.all([
        key(id, mode),
        intake('workflow', 'assign', definition.slug, '--company', id),
      ]);
      return { id, keyId: made.id, key: made.key, api: made.api };
    },
    /** One more key, of a company or unscoped. */
    key,
    close: async (): Promise<void> => {
      await operator.close();
      await service.close();
      await holdLogToSchemas(config);
      await engines.close();
      await receiver.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

let shared: Promise<TestService> | undefined;

/**
 * One service as by default for all test files of this process that need no other, and leave each other's
 * companies alone. It closes by itself at the end.
 */
export const sharedService = (): Promise<TestService> => {
  shared ??= startShared();
  return shared;
};

const startShared = async (): Promise<TestService> => {
  const service = await startService();
  atEnd(() => service.close());
  return service;
};

/** What the service sends by itself is a webhook; other requests are a test's own. */
const holdToDocument = (request: Received, conformance: Conformance | undefined): void => {
  if (!conformance || request.headers['user-agent'] !== 'service-webhook/1.0') return;
  condemnFaults(`the webhook to ${request.path}`, conformance.webhook(request));
};
