import {
  anyObject,
  closed,
  example,
  id,
  meaning,
  nullable,
  type Of,
  optional,
  pageOf,
  Share,
  Slug,
  Type,
  text,
  time,
  Version,
  whole,
} from '../kernel/schema.ts';
import { Actor } from './actors.ts';
import { WorkflowDefinition } from './workflowDefinition.ts';
import { PUBLISHED, Workflow } from './workflows.ts';

/** A row of GET /workflow-definitions (workflows-9). */
export const WorkflowHead = Type.Object({
  id: id('wf'),
  slug: Slug,
  name: Workflow.properties.name,
  description: Workflow.properties.description,
  version: meaning(Version, 'the newest version'),
  publishedAt: time('when the newest version was published', PUBLISHED),
  companies: nullable(whole('how many companies it is assigned to; null to people of a company', 12)),
});
export type WorkflowHead = Of<typeof WorkflowHead>;

export const WorkflowHeads = pageOf(WorkflowHead);
export type WorkflowHeads = Of<typeof WorkflowHeads>;

/** How a version passed the gate of the one before it (evaluations-17). */
export const GatePassage = Type.Object({
  evaluationId: nullable(id('evl')),
  documents: whole('how many submissions it was tried on', 300),
  approved: whole('how many of them it approves without a person', 230),
  wrong: whole('how many of these have a wrong or missing required field', 2),
  maxWrong: meaning(Share, 'the share that the gate allows', 0.02),
  forcedBecause: nullable(
    text(
      'why it was published although the gate refused it; null where it did not',
      'the old labels are wrong',
    ),
  ),
});

const published = {
  version: Version,
  publishedAt: time('when it was published', PUBLISHED),
  publishedBy: nullable(
    meaning(
      Actor,
      'who published it, as events name an actor; null while the read models of an older release are rebuilt',
    ),
  ),
  passage: nullable(
    meaning(GatePassage, 'how it passed the gate of the version before; null without a gate'),
  ),
};

/** A row of GET /workflow-definitions/{slug}/versions. */
export const WorkflowVersionHead = Type.Object({ ...published, name: Workflow.properties.name });
export type WorkflowVersionHead = Of<typeof WorkflowVersionHead>;

export const WorkflowVersions = pageOf(WorkflowVersionHead);
export type WorkflowVersions = Of<typeof WorkflowVersions>;

/** A version with all that was published, every default filled in (workflows-10). */
export const PublishedDefinition = Type.Object({ ...published, definition: WorkflowDefinition });
export type PublishedDefinition = Of<typeof PublishedDefinition>;

/** `definitionProblems` checks the definition. */
export const CheckDefinition = closed({ definition: anyObject('the workflow definition') });

/** The definition with every default filled in, and what it would become (workflows-13). */
export const CheckedDefinition = Type.Object({
  definition: WorkflowDefinition,
  version: meaning(Version, 'the version that it would become', 4),
});
export type CheckedDefinition = Of<typeof CheckedDefinition>;

/** `definitionProblems` checks the definition. */
export const PublishDefinition = closed({
  definition: anyObject('the workflow definition'),
  version: optional(
    meaning(
      Version,
      'the version that it shall become: the request is refused if that is not the next one',
      4,
    ),
  ),
  evaluationId: optional(
    meaning(
      id('evl'),
      'the evaluation of this definition that shows what the gate of the newest version asks',
    ),
  ),
  force: optional(
    meaning(
      Type.String({ minLength: 1, maxLength: 500 }),
      'why it is published although the gate refuses it; the event keeps it',
      'the old labels are wrong',
    ),
  ),
});

export const DefinitionPublished = Type.Object({ slug: Slug, version: example(Version, 4) });
export type DefinitionPublished = Of<typeof DefinitionPublished>;

/** That a company may use a workflow, or no longer (workflows-14). */
export const WorkflowAssignment = Type.Object({
  slug: Slug,
  companyId: id('cmp'),
  assigned: Type.Boolean(),
});
export type WorkflowAssignment = Of<typeof WorkflowAssignment>;
