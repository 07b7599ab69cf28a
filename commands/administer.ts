import { randomBytes } from 'node:crypto';
import { apiKey, apiKeyStream } from '../domain/apiKey.ts';
import { company, companyStream } from '../domain/company.ts';
import { type WorkflowDefinition, workflow, workflowStream } from '../domain/workflow.ts';
import type { Clock } from '../kernel/clock.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Mode } from '../kernel/scope.ts';
import { type Credentials, hashKey } from '../stores/credentials.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Context, Handle } from './handle.ts';
import { load } from './load.ts';

type AdministerPorts = Readonly<{
  handle: Handle;
  log: EventLog;
  credentials: Credentials;
  clock: Clock;
  ids: Ids;
}>;

/** A new key's secrets, to be shown once: they are stored nowhere. */
type NewKey = Readonly<{ id: string; key: string; hash: string; position: Position }>;

type KeyInput = Readonly<{ companyId: string | null; mode: Mode; name: string | null; createdBy: string }>;

/**
 * What operators do: companies, workflows and keys. Each answer tells the log's position for those who wait
 * for the read models.
 */
export const administer = (ports: AdministerPorts) => {
  const { handle, log, credentials, clock, ids } = ports;

  const requireCompany = async (companyId: string): Promise<void> => {
    if (await load(log, company, companyStream(companyId))) return;
    throw new DomainError('CompanyNotFound', `There is no company ${companyId}.`);
  };

  const changeAssignment =
    (type: 'AssignWorkflow' | 'UnassignWorkflow') =>
    async (slug: string, companyId: string, context: Context): Promise<Position> => {
      await requireCompany(companyId);
      const { position } = await handle(workflow, workflowStream(slug), { type, companyId }, context);
      return position;
    };

  return {
    createCompany: async (name: string, context: Context): Promise<{ id: string; position: Position }> => {
      const id = `cmp_${ids.ulid()}`;
      const command = { type: 'CreateCompany', companyId: id, name } as const;
      const { position } = await handle(company, companyStream(id), command, context);
      return { id, position };
    },

    /** Appends the next version of a checked definition. */
    publishWorkflow: async (
      definition: WorkflowDefinition,
      context: Context,
    ): Promise<{ version: number; position: Position }> => {
      const command = { type: 'PublishWorkflow', workflowId: `wf_${ids.ulid()}`, definition } as const;
      const { state, position } = await handle(workflow, workflowStream(definition.slug), command, context);
      return { version: state?.version ?? 0, position };
    },

    /** Lets a company open sessions. Throws `WorkflowNotFound`, `CompanyNotFound`. */
    assignWorkflow: changeAssignment('AssignWorkflow'),

    /** Stops new sessions of a company. Throws `WorkflowNotFound`, `CompanyNotFound`. */
    unassignWorkflow: changeAssignment('UnassignWorkflow'),

    /** Makes a key (keys-7). Throws `CompanyNotFound`. */
    createKey: async (input: KeyInput, context: Context): Promise<NewKey> => {
      const { companyId, mode } = input;
      if (companyId !== null) await requireCompany(companyId);
      const id = `key_${ids.ulid()}`;
      const key = `aok_${randomBytes(32).toString('hex')}`;
      const hash = hashKey(key);
      // The row first: nobody knows the key yet, and a crash before the event leaves nothing that could be
      // used.
      await credentials.add({ keyId: id, hash, companyId, mode, revokedAt: null, lastUsedAt: null });
      const command = { type: 'CreateApiKey', keyId: id, ...input } as const;
      const { position } = await handle(apiKey, apiKeyStream(id), command, context);
      return { id, key, hash, position };
    },

    /** Refuses a key from now on. Throws `ApiKeyNotFound`. */
    revokeKey: async (keyId: string, context: Context): Promise<Position> => {
      // The row first: a crash before the event leaves the key shut, and revoking again writes the event.
      await credentials.revoke(keyId, clock.now().toISOString());
      const { position } = await handle(apiKey, apiKeyStream(keyId), { type: 'RevokeApiKey' }, context);
      return position;
    },
  };
};
