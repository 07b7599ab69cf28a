import type { FraudCheck } from './check.ts';

/** The same bytes again (fraud-1). A file that was uploaded twice is one trait of two files. */
export const duplicateFile = {
  type: 'duplicate_file',
  docs: {
    matches: 'a file of the very same bytes (SHA-256), in whatever slot',
    score: '1',
    result: 'blocked',
  },
  phrases: /\bduplicates?\b(?! data)|\b(?:same|identical) files?\b|\btwice\b|\bfraud\b/i,
  needsBusinessKey: false,
  traits: ({ files }) =>
    [...new Set(files.map(({ sha256 }) => sha256))].map((text) => ({
      text,
      files: files.filter(({ sha256 }) => sha256 === text).map(({ fileId, label }) => ({ fileId, label })),
    })),
  digits: 64,
  score: 1,
  match: { by: 'trait', details: (files) => ({ files }) },
} as const satisfies FraudCheck;
