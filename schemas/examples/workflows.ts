import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import { WorkflowContract, WorkflowPage, WorkflowSummary } from '../workflows.ts';
import { type Example, example, ids, receipt } from './example.ts';

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

export const workflowExamples: readonly Example[] = [
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
  }),
];
