import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import { DefinitionProcessing, definitionOf, Extractor, withDefaults } from '../workflowDefinition.ts';
import {
  CheckDefinition,
  CheckedDefinition,
  DefinitionPublished,
  PublishDefinition,
  PublishedDefinition,
  WorkflowAssignment,
  WorkflowHeads,
  WorkflowVersions,
} from '../workflowDefinitions.ts';
import { WorkflowContract, WorkflowPage, WorkflowSummary } from '../workflows.ts';
import { type Example, example, ids, receipt, wholePage } from './example.ts';

const look = {
  id: ids.workflow,
  slug: receipt.slug,
  name: 'Receipt',
  description: 'Receipts of travel and meals',
  icon: 'receipt',
  color: '#2563eb',
} as const;

const item = { ...look, version: receipt.version, publishedAt: '2026-11-02T08:00:00.000Z' } as const;

const upload = {
  minFiles: 1,
  maxFiles: 3,
  acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf'],
  fileLabels: ['front', 'back'],
  maxFileSizeMb: 10,
} as const;

const outputSchema = [
  {
    name: 'company',
    label: 'Company',
    required: true,
    description: 'who sold',
    type: 'string',
    validation: { minLength: 1, maxLength: 200 },
  },
  {
    name: 'total',
    label: 'Total',
    required: true,
    description: 'amount paid',
    type: 'number',
    validation: {},
  },
] as const;

const published = {
  version: receipt.version,
  publishedAt: item.publishedAt,
  publishedBy: { kind: 'user', id: ids.user },
} as const;

const definition = definitionOf(
  withDefaults({
    slug: receipt.slug,
    name: 'Receipt',
    upload,
    outputSchema,
    processing: { reviewBelow: 0.9 },
  }),
);

const short = { slug: receipt.slug, name: 'Receipt', upload, outputSchema };

export const workflowExamples: readonly Example[] = [
  example(Extractor, 'document'),
  example(DefinitionProcessing, { extractor: 'document', review: 'auto' }),
  example(WorkflowPage, { data: [item], pagination: { hasMore: true, nextCursor: 'WyJYM2NqIl0' } }),
  example(WorkflowSummary, { ...item, upload }),
  example(WorkflowContract, {
    workflow: look,
    version: receipt.version,
    upload,
    outputSchema: outputSchema.map((field) => ({
      ...field,
      validation: { pattern: null, minLength: null, maxLength: null, ...field.validation },
    })),
    outputJsonSchema: { ...outputJsonSchemaOf(outputSchema) },
    fourEyes: [],
    requireComplete: false,
  }),
  example(WorkflowHeads, {
    data: [
      {
        ...{ id: ids.workflow, slug: receipt.slug, name: 'Receipt', description: null },
        ...{ version: receipt.version, publishedAt: item.publishedAt, companies: 12 },
      },
    ],
    pagination: wholePage,
  }),
  example(WorkflowVersions, { data: [{ ...published, name: 'Receipt' }], pagination: wholePage }),
  example(PublishedDefinition, { ...published, definition }),
  example(CheckDefinition, { definition: short }),
  example(CheckedDefinition, { definition, version: receipt.version + 1 }),
  example(PublishDefinition, { definition: short, version: receipt.version + 1 }),
  example(DefinitionPublished, { slug: receipt.slug, version: receipt.version + 1 }),
  example(WorkflowAssignment, { slug: receipt.slug, companyId: ids.company, assigned: true }),
];
