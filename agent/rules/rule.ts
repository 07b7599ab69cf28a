import type { WorkflowDefinition } from '../../schemas/workflowDefinition.ts';

/** A definition on its way: as the schema has it, though fields may still be missing. */
export type Draft = WorkflowDefinition;

/** `fresh`: nothing was given to revise. */
export type Setting = Readonly<{ fresh: boolean }>;

/** What one clause of an instruction changes; null when it says nothing that this rule understands. */
export type Rule = (clause: string, draft: Draft, setting: Setting) => Draft | null;

export type Field = Draft['outputSchema'][number];
