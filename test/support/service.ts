import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mode } from '../../domain/kernel.ts';
import type { WorkflowDefinition } from '../../domain/workflow.ts';
import { routesOf } from '../../runtime/api.ts';
import { type Role, readConfig, roles } from '../../runtime/config.ts';
import { settle } from '../../runtime/project.ts';
import { serve } from '../../runtime/serve.ts';
import { wireCore } from '../../runtime/wire.ts';
import { withDefaults } from '../../schemas/workflowDefinition.ts';
import { type ReceiverOptions, startReceiver } from '../../scripts/receiver.ts';
import { memoryObjects } from '../controls/objects.ts';
import { type Client, client } from './client.ts';
import { receiptDefinition } from './definition.ts';

export type TestService = Awaited<ReturnType<typeof startService>>;

const operator = {
  actor: { kind: 'operator', id: 'test' },
  correlationId: 'test',
  causationId: 'test',
} as const;

/** Settings of a service on free ports that sends webhooks to receivers on this machine, with limits that no test but theirs reaches. */
export const testSettings = (dataDir: string, more: Readonly<Record<string, string>> = {}) => ({
  PORT: '0',
  STORAGE_PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
  RATE_LIMIT: '100000',
  AUTH_FAILURES: '100000',
  WEBHOOK_EGRESS: 'any',
  WEBHOOK_RESOLVE: 'receiver.example=127.0.0.1',
  WEBHOOK_RETRY_DELAYS: '50ms,100ms,150ms',
  ...more,
});

/** The service on the embedded stores in this process, whole unless told, with a webhook receiver; `close` removes everything. */
export const startService = async (
  settings: Readonly<Record<string, string>> = {},
  receiving: ReceiverOptions = {},
  played: readonly Role[] = roles,
) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-test-'));
  const receiver = await startReceiver(receiving);
  const ca = join(dataDir, 'receiver.pem');
  writeFileSync(ca, receiver.ca);
  const config = readConfig(testSettings(dataDir, { WEBHOOK_CA: ca, ...settings }));
  const service = await serve(config, played);
  const core = wireCore(config);
  const { administer } = core;
  const shown = async <T extends { position: Parameters<typeof settle>[1] }>(done: T): Promise<T> => {
    await settle(core, done.position);
    return done;
  };

  return {
    url: service.url ?? '',
    dataDir,
    config,
    core,
    receiver,
    /** What the service serves. */
    endpoints: routesOf(config, core, memoryObjects().objects).map(({ endpoint }) => endpoint),
    /** A company that may use the workflow, with a key; without a definition the receipt's. */
    company: async (definition: object = receiptDefinition, mode: Mode = 'live') => {
      const { id } = await administer.createCompany('ACME', operator);
      const full = withDefaults(definition as Parameters<typeof withDefaults>[0]) as WorkflowDefinition;
      await administer.publishWorkflow(full, operator);
      await administer.assignWorkflow(full.slug, id, operator);
      const key = await shown(
        await administer.createKey({ companyId: id, mode, name: null, createdBy: 'operator' }, operator),
      );
      return { id, keyId: key.id, key: key.key, api: client(service.url ?? '', key.key) };
    },
    /** One more key, of a company or unscoped. */
    key: async (
      companyId: string | null,
      mode: Mode = 'live',
    ): Promise<{ id: string; key: string; api: Client }> => {
      const input = { companyId, mode, name: null, createdBy: 'operator' };
      const { id, key } = await shown(await administer.createKey(input, operator));
      return { id, key, api: client(service.url ?? '', key) };
    },
    settle: () => core.log.head().then((head) => settle(core, head)),
    operator,
    close: async (): Promise<void> => {
      await service.close();
      await core.close();
      await receiver.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
