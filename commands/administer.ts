import { randomBytes } from 'node:crypto';
import { apiKey, apiKeyStream } from '../domain/apiKey.ts';
import { company, companyStream } from '../domain/company.ts';
import { type WorkflowDefinition, workflow, workflowStream } from '../domain/workflow.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import { type Credentials, hashKey } from '../stores/credentials.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { CommandPorts, Context } from './handle.ts';
import { load } from './load.ts';

type AdministerPorts = CommandPorts & Readonly<{ log: EventLog; credentials: Credentials }>;

/** Throws `CompanyNotFound`. */
export const requireCompany = async (log: EventLog, companyId: string): Promise<void> => {
  if (await load(log, company, companyStream(companyId))) return;
  throw new DomainError('CompanyNotFound', `There is no company ${companyId}.`);
};

/** A new key, shown once: `key` is stored nowhere. */
type NewKey = Readonly<{ id: string; key: string; hash: string; position: Position }>;

type KeyInput = Readonly<{ companyId: string | null; mode: Mode; name: string | null; createdBy: string }>;

/** The operators' commands on companies, workflows and keys. Each gives the position of its last event. */
export const administer = (ports: AdministerPorts) => {
  const { handle, log, credentials, clock, ids } = ports;

  const changeAssignment =
    (type: 'AssignWorkflow' | 'UnassignWorkflow') =>
    async (slug: string, companyId: string, context: Context): Promise<Position> => {
      await requireCompany(log, companyId);
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

    /** Publishes the next version of a valid definition. */
    publishWorkflow: async (definition: WorkflowDefinition, context: Context) => {
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
      if (companyId !== null) await requireCompany(log, companyId);
      const id = `key_${ids.ulid()}`;
      const key = `aok_${randomBytes(32).toString('hex')}`;
      const hash = hashKey(key);
      // The row first: the key is not known to anyone yet, so that a crash before the event leaves nothing
      // usable.
      await credentials.add({ keyId: id, hash, companyId, mode, revokedAt: null, lastUsedAt: null });
      const command = { type: 'CreateApiKey', keyId: id, ...input } as const;
      const { position } = await handle(apiKey, apiKeyStream(id), command, context);
      return { id, key, hash, position };
    },

    /** Refuses a key from now on. Throws `ApiKeyNotFound`. */
    revokeKey: async (keyId: string, context: Context): Promise<Position> => {
      // The row first: after a crash before the event the key is revoked, and revoking again appends the
      // event.
      await credentials.revoke(keyId, clock.now().toISOString());
      const { position } = await handle(apiKey, apiKeyStream(keyId), { type: 'RevokeApiKey' }, context);
      return position;
    },
  };
};
