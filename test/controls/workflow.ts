import type {
  OutputColumn,
  OutputField,
  WorkflowDefinition,
  WorkflowVersion,
} from '../../domain/workflow.ts';

/** A required column of text, unless told otherwise. */
const column = (name: string, over: Partial<OutputColumn> = {}): OutputColumn => ({
  ...{ name, label: null, required: true, description: null, type: 'string', validation: null },
  ...over,
});

/** A required field of text without any description, unless told otherwise. */
export const outputField = (name: string, over: Partial<OutputField> = {}): OutputField => ({
  name,
  label: null,
  required: true,
  description: null,
  type: 'string',
  validation: null,
  ...over,
});

/** A table of what an invoice charges. */
export const itemsField: OutputField = outputField('items', {
  label: 'Items',
  type: 'table',
  columns: [
    column('description'),
    column('quantity', { required: false, type: 'integer' }),
    column('unitPrice', { label: 'Unit price', required: false, type: 'number' }),
    column('amount', { type: 'number' }),
  ],
});

/** A definition as a publisher would write it, with every default filled in. */
export const definition: WorkflowDefinition = {
  slug: 'receipt',
  name: 'Receipt',
  description: null,
  icon: null,
  color: '#2563eb',
  upload: {
    minFiles: 1,
    maxFiles: 3,
    acceptedFormats: ['image/png', 'application/json'],
    fileLabels: ['front', 'back'],
    maxFileSizeMb: 1,
  },
  outputSchema: [
    outputField('total', { type: 'number' }),
    outputField('company', { label: 'Company', required: false, validation: { maxLength: 20 } }),
  ],
  processing: {
    extractor: 'document',
    review: 'auto',
    reviewBelow: 0.8,
    fraud: { checks: [], businessKey: [], flagAt: 0.5, blockAt: 0.9, requireResolution: true },
    sync: null,
  },
};

/** The first published version of `definition`. */
export const version: WorkflowVersion = {
  ...definition,
  workflowId: 'wf_01hv6x3m8q2r5t7w9y0a1b2c3d',
  version: 1,
};
