import { faultsUnder } from '../../kernel/fault.ts';
import { definitionProblems } from '../../schemas/definitionProblems.ts';
import { AgentAnswer, AgentRequest, type DraftWorkflow } from '../../schemas/identity.ts';
import type { WorkflowDefinition } from '../../schemas/workflowDefinition.ts';
import { type Route, route } from '../engine/route.ts';

/** The private workflow agent (agent-1): for super_admins. */
export const workflowAgentRoutes = (draftWorkflow: DraftWorkflow): readonly Route[] => [
  route({
    name: 'draftWorkflow',
    summary: 'Draft a workflow definition from an instruction, or revise one',
    description:
      'Uses the configured model, otherwise built-in rules. The answer is a valid definition, which is not published.',
    method: 'POST',
    path: '/api/internal/workflow-agent',
    access: 'workflows.draft',
    body: AgentRequest,
    answers: { 200: AgentAnswer },
  })({
    check: ({ body: { draft } }) =>
      draft === undefined ? [] : faultsUnder('/draft', definitionProblems(draft)),
    run: async ({ body: { instruction, draft } }) => {
      // `check` has compared the draft with the schema of definitions.
      const checked = draft === undefined ? null : (draft as unknown as WorkflowDefinition);
      return { status: 200, body: await draftWorkflow({ instruction, draft: checked }) };
    },
  }),
];
