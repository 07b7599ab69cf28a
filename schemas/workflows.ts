import { OutputColumn, OutputField } from '../domain/workflow.ts';
import {
  anyObject,
  example,
  id,
  MediaType,
  meaning,
  nullable,
  type Of,
  pageOf,
  Slug,
  Type,
  time,
  Version,
} from '../kernel/schema.ts';
import { DecisionOutcome } from './review.ts';
import { ColumnType, FieldType } from './workflowDefinition.ts';

/** The files that a version accepts. */
export const WorkflowUpload = Type.Object({
  minFiles: Type.Integer({ minimum: 0, examples: [1] }),
  maxFiles: Type.Integer({ minimum: 1, examples: [3] }),
  acceptedFormats: Type.Array(MediaType, { examples: [['image/jpeg', 'application/pdf']] }),
  fileLabels: Type.Array(Type.String(), {
    description: 'the labels of the first files; the others are labelled file-<number>',
    examples: [['front', 'back']],
  }),
  maxFileSizeMb: Type.Number({
    exclusiveMinimum: 0,
    description: 'in units of 1,048,576 bytes',
    examples: [10],
  }),
});

const described = {
  id: id('wf'),
  slug: Slug,
  name: example(Type.String(), 'Receipt'),
  description: nullable(example(Type.String(), 'Receipts of travel and meals')),
  icon: nullable(example(Type.String(), 'receipt')),
  color: nullable(example(Type.String(), '#2563eb')),
};

/** When the workflow of the examples was published. */
export const PUBLISHED = '2026-11-02T08:00:00.000Z';

/** A workflow. */
export const Workflow = Type.Object(described);

const listed = {
  ...described,
  version: meaning(Version, 'the newest version'),
  publishedAt: time('when the newest version was published', PUBLISHED),
};

/** A row of GET /workflows (workflows-2). */
export const WorkflowItem = Type.Object(listed);
export type WorkflowItem = Of<typeof WorkflowItem>;

export const WorkflowPage = pageOf(WorkflowItem);
export type WorkflowPage = Of<typeof WorkflowPage>;

export const WorkflowSummary = Type.Object({ ...listed, upload: WorkflowUpload });
export type WorkflowSummary = Of<typeof WorkflowSummary>;

/** What a text field must be; null where that is not limited. */
export const WorkflowFieldRules = Type.Object({
  pattern: nullable(Type.String()),
  minLength: nullable(Type.Integer()),
  maxLength: nullable(Type.Integer()),
});

/** A column as in the event, but that absent rules are null (formats-3). */
export const WorkflowColumn = Type.Object({
  ...OutputColumn.properties,
  type: ColumnType,
  validation: nullable(WorkflowFieldRules),
});

/** A field likewise, and null where it is no table. */
export const WorkflowField = Type.Object({
  ...OutputField.properties,
  type: FieldType,
  validation: nullable(WorkflowFieldRules),
  columns: nullable(meaning(Type.Array(WorkflowColumn), 'of a table; null for other types')),
});

/** GET /workflows/{slug}/versions/{version}: the unchanging contract of a version (workflows-5). */
export const WorkflowContract = Type.Object({
  workflow: Workflow,
  version: Version,
  upload: WorkflowUpload,
  outputSchema: Type.Array(WorkflowField),
  outputJsonSchema: anyObject('The output as a JSON Schema (2020-12).'),
  fourEyes: Type.Array(DecisionOutcome, {
    examples: [[]],
    description: 'the outcomes that two different people or API keys must decide; mostly empty',
  }),
  requireComplete: meaning(
    Type.Boolean(),
    'whether an approval without a value of a required field is refused',
    false,
  ),
});
export type WorkflowContract = Of<typeof WorkflowContract>;
