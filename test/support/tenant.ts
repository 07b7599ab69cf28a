import type { WorkflowDefinition } from '../../domain/workflow.ts';
import { settle } from '../../projections/engine/live.ts';
import { withDefaults } from '../../schemas/workflowDefinition.ts';
import { openCoreOf } from './core.ts';
import { receiptDefinition } from './definition.ts';

const operator = {
  actor: { kind: 'operator', id: 'test' },
  correlationId: 'test',
  causationId: 'test',
} as const;

/**
 * A company with the receipt workflow and a key, made beside whatever serves these settings' folder, or
 * before it.
 */
export const createTenant = async (settings: Readonly<Record<string, string>>) => {
  const core = await openCoreOf(settings);
  try {
    const { administer, keys } = core;
    const { id: companyId } = await administer.createCompany('ACME', operator);
    const full = withDefaults(receiptDefinition as Parameters<typeof withDefaults>[0]) as WorkflowDefinition;
    await administer.publishWorkflow(full, operator);
    await administer.assignWorkflow(full.slug, companyId, operator);
    const input = { companyId, mode: 'live', name: null, createdBy: 'operator' } as const;
    const { id: keyId, key, position } = await keys.createKey(input, operator);
    await settle(core, position);
    return { companyId, keyId, key };
  } finally {
    await core.close();
  }
};
