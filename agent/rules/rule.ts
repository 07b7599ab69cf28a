import type { WorkflowDefinition } from '../../schemas/workflowDefinition.ts';

/** An unfinished definition, as the schema has it, perhaps without fields. */
export type Draft = WorkflowDefinition;

/** `fresh`: there is no definition to revise. */
export type Setting = Readonly<{ fresh: boolean }>;

/** The draft as one clause of an instruction changes it; null for a clause that the rule does not match. */
export type Rule = (clause: string, draft: Draft, setting: Setting) => Draft | null;

export type Field = Draft['outputSchema'][number];
