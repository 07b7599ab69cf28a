/** A receipt workflow whose files hold the fields as JSON or text: processed in milliseconds. */
export const receiptDefinition = {
  slug: 'receipt',
  name: 'Receipt',
  upload: {
    minFiles: 1,
    maxFiles: 3,
    acceptedFormats: ['application/json', 'text/plain', 'image/png', 'image/jpeg', 'application/pdf'],
    fileLabels: ['front', 'back'],
    maxFileSizeMb: 1,
  },
  outputSchema: [
    { name: 'company', required: true, description: 'who sold', type: 'string' },
    { name: 'date', required: true, description: 'date of the receipt', type: 'date' },
    { name: 'total', label: 'Total', required: true, description: 'amount paid', type: 'number' },
  ],
  processing: { reviewBelow: 0.5 },
} as const;
