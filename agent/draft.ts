import type { WorkflowDefinition } from '../schemas/workflowDefinition.ts';

/** What an administrator asks for, in plain words; `draft` is a valid definition to revise. */
export type Wish = Readonly<{ instruction: string; draft: WorkflowDefinition | null }>;

/** A valid definition, and what its reader should know of how it came to be. */
export type Drafted = Readonly<{ draft: WorkflowDefinition; notes: readonly string[] }>;
