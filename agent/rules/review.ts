import type { Draft, Rule } from './rule.ts';

/** "Review everything", "never review", "send to review below 85% confidence". */
export const review: Rule = (clause, draft) => {
  const threshold = shareIn(
    clause,
    /\b(?:below|under|less than|lower than|threshold(?: of| is|:)?|at least|above)\s+/,
  );
  if (threshold !== null && /\b(?:review|confiden|sure|certain|threshold)/i.test(clause))
    return withProcessing(draft, { review: 'auto', reviewBelow: threshold });
  if (!/\b(?:review|reviewed|reviews|reviewer|checked by|manual|manually|person|human)\b/i.test(clause))
    return null;
  if (/\b(?:never|no|without|not)\b/i.test(clause))
    return withProcessing(draft, { review: 'auto', reviewBelow: 0 });
  return /\b(?:every|everything|all|always|each|must|manual|manually)\b/i.test(clause)
    ? withProcessing(draft, { review: 'always' })
    : null;
};

/**
 * The share after these words, written from 0 to 1 or in percent, as a number from 0 to 1; null without one.
 */
export const shareIn = (clause: string, before: RegExp): number | null => {
  const pattern = new RegExp(`${before.source}(\\d+(?:\\.\\d+)?)\\s*(%|percent)?`, 'i');
  const [, amount, percent] = pattern.exec(clause) ?? [];
  if (amount === undefined) return null;
  const share = percent !== undefined || Number(amount) > 1 ? Number(amount) / 100 : Number(amount);
  return share <= 1 ? share : null;
};

/** The draft with these members of its processing changed. */
export const withProcessing = (draft: Draft, change: Partial<NonNullable<Draft['processing']>>): Draft => ({
  ...draft,
  processing: { ...draft.processing, ...change },
});
