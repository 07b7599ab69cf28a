import { businessKeyOf } from './businessKey.ts';
import type { FraudCheck } from './check.ts';

/**
 * The same business key again (fraud-3). It may be the same purchase photographed anew, or two coffees of one
 * morning: flagged by default, for a person to review.
 */
export const duplicateData = {
  type: 'duplicate_data',
  docs: {
    matches: 'the same fields and values of the business key, in whatever file',
    score: '0.8',
    result: 'flagged: it may be the same purchase, or two coffees of one morning',
  },
  phrases: /\bduplicate data\b|\bbusiness key\b|\bsame data\b/i,
  needsBusinessKey: true,
  traits: ({ outputSchema, businessKey, data }) => {
    const text = businessKeyOf(outputSchema, businessKey, data);
    return text === null ? [] : [{ text, files: [] }];
  },
  digits: 64,
  score: 0.8,
  match: { by: 'trait', details: (_, businessKey) => ({ fields: businessKey }) },
} as const satisfies FraudCheck;
