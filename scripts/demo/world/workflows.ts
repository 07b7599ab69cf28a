const field = (name: string, label: string, type: string, required = true) => ({
  ...{ name, label, required, type },
});

const invoice = {
  slug: 'invoice',
  name: 'Invoice',
  description: 'What suppliers ask for',
  icon: 'file-text',
  color: '#0f766e',
  upload: {
    ...{ minFiles: 1, maxFiles: 2, fileLabels: ['invoice', 'attachment'], maxFileSizeMb: 10 },
    acceptedFormats: ['application/pdf', 'image/jpeg', 'image/png'],
  },
  outputSchema: [
    field('supplier', 'Supplier', 'string'),
    {
      ...field('invoiceNumber', 'Invoice number', 'string'),
      validation: { pattern: '^[A-Z0-9][A-Z0-9/-]{2,19}$' },
    },
    field('date', 'Invoice date', 'date'),
    field('net', 'Net amount', 'number', false),
    field('vat', 'VAT', 'number', false),
    field('total', 'Total', 'number'),
  ],
  list: ['supplier', 'total', 'date'],
  processing: {
    ...{ extractor: 'document', review: 'auto', reviewBelow: 0.8 },
    fraud: { checks: ['duplicate_file', 'duplicate_data'], businessKey: ['supplier', 'invoiceNumber'] },
  },
};

/**
 * The versions of a workflow for invoices: the second reads one more field, and two people approve what it
 * read.
 */
export const invoiceVersions: readonly object[] = [
  invoice,
  {
    ...invoice,
    outputSchema: [...invoice.outputSchema, field('dueDate', 'Due date', 'date', false)],
    processing: { ...invoice.processing, review: 'always', fourEyes: ['approved'] },
  },
];
