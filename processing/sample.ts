import type { Extraction } from '../domain/submission/events.ts';
import type { OutputField } from '../domain/workflow.ts';
import { matching } from '../schemas/ajv.ts';

/**
 * Made-up data of a version's fields, for submissions in test mode whose outcome is forced and whose files nobody reads: of the right types,
 * the same every time. A text is null where none of a few usual ones keeps its field's validation.
 */
export const sampleExtraction = (fields: readonly OutputField[]): Extraction => {
  const values = fields.map((field) => [field.name, sampleOf(field)] as const);
  return {
    extractedData: Object.fromEntries(values),
    fieldConfidences: Object.fromEntries(values.map(([name, value]) => [name, value === null ? 0 : 0.99])),
    aiSummary: 'Made-up data: the outcome of this test submission was forced.',
    result: {
      fields: Object.fromEntries(
        values.map(([name, value]) => [
          name,
          {
            value,
            confidence: value === null ? 0 : 0.99,
            text: value === null ? null : String(value),
            place: null,
          },
        ]),
      ),
      pages: 1,
    },
  };
};

const sampleOf = (field: OutputField): unknown => {
  switch (field.type) {
    case 'string':
      return sampleText(field);
    case 'number':
      return 12.34;
    case 'integer':
      return 12;
    case 'boolean':
      return true;
    case 'date':
      return '2026-01-31';
  }
};

const TEXTS = ['INV-1001', 'ABC123', 'ABC-123', 'AB', 'ABC', 'EUR', 'a@example.com', 'https://example.com/'];
const DIGITS = Array.from({ length: 20 }, (_, index) => '12345678901234567890'.slice(0, index + 1));

const sampleText = ({ name, label, validation }: OutputField): string | null => {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = validation ?? {};
  const own = `Sample ${label ?? name}`;
  const texts = [own.padEnd(minLength, '.').slice(0, maxLength), ...TEXTS, ...DIGITS].filter(
    (text) => text.length >= minLength && text.length <= maxLength,
  );
  return (pattern === undefined ? texts : matching(pattern, texts))[0] ?? null;
};
