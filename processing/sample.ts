import type { Extraction } from '../domain/submission/events.ts';
import type { OutputField } from '../domain/workflow.ts';
import { matching } from '../schemas/ajv.ts';

/**
 * Made-up data of a version's fields, for submissions in test mode whose outcome is forced and whose files nobody reads: of the right types,
 * and all as sure as is told. A text is null where none of a few usual ones keeps its field's validation, or patterns have taken too long.
 */
export const sampleExtraction = (fields: readonly OutputField[], confidence: number): Extraction => {
  const until = performance.now() + PATTERNS_MS;
  const values = fields.map((field) => [field.name, sampleOf(field, until)] as const);
  const sure = (value: unknown): number => (value === null ? 0 : confidence);
  return {
    extractedData: Object.fromEntries(values),
    fieldConfidences: Object.fromEntries(values.map(([name, value]) => [name, sure(value)])),
    aiSummary: 'Made-up data: the outcome of this test submission was forced.',
    result: {
      fields: Object.fromEntries(
        values.map(([name, value]) => [
          name,
          {
            value,
            confidence: sure(value),
            text: value === null ? null : String(value),
            place: null,
          },
        ]),
      ),
      pages: 1,
    },
  };
};

const sampleOf = (field: OutputField, until: number): unknown => {
  switch (field.type) {
    case 'string':
      return sampleText(field, until);
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

/** What the patterns of all fields may take together, in milliseconds: each can be one that hardly ends. */
const PATTERNS_MS = 100;
/** A text that must be longer is not made up. */
const LONGEST = 200;

const TEXTS = ['INV-1001', 'ABC123', 'ABC-123', 'AB', 'ABC', 'EUR', 'a@example.com', 'https://example.com/'];
const DIGITS = Array.from({ length: 20 }, (_, index) => '12345678901234567890'.slice(0, index + 1));

const sampleText = ({ name, label, validation }: OutputField, until: number): string | null => {
  const { pattern, minLength = 0, maxLength = LONGEST } = validation ?? {};
  if (minLength > LONGEST || (pattern !== undefined && performance.now() > until)) return null;
  const own = `Sample ${label ?? name}`;
  const texts = [own.padEnd(minLength, '.').slice(0, maxLength), ...TEXTS, ...DIGITS].filter(
    (text) => text.length >= minLength && text.length <= maxLength,
  );
  return (pattern === undefined ? texts : matching(pattern, texts))[0] ?? null;
};
