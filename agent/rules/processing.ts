import { businessKeyChecks, fraudChecks } from '../../domain/fraud/checks.ts';
import type { Draft, Rule } from './rule.ts';
import { bare, itemsOf, nameOf } from './words.ts';

type Fraud = NonNullable<NonNullable<Draft['processing']>['fraud']>;

// The least certain first: the order in which drafts name them.
const checksByScore = fraudChecks.toSorted((one, other) => one.score - other.score);

/**
 * "Check for duplicates", "fraud checks on similar pictures", "flag the same company, date and total", "no
 * fraud checks".
 */
export const fraud: Rule = (clause, draft) => {
  const before = draft.processing?.fraud ?? {};
  const { policy: _, ...unanswered } = before;
  if (/\b(?:no|without|drop|remove|turn off|disable)\b.*\b(?:fraud|duplicates?)\b/i.test(clause))
    return withProcessing(draft, { fraud: { ...unanswered, checks: [], businessKey: [] } });
  const limits = limitsIn(clause);
  const businessKey = keyIn(clause, draft);
  const named = new Set(checksByScore.flatMap(({ type, phrases }) => (phrases.test(clause) ? type : [])));
  if (businessKey.length > 0 && !businessKeyChecks.some((type) => named.has(type)))
    for (const type of businessKeyChecks.slice(0, 1)) named.add(type);
  // Without a key there is nothing to compare.
  if (businessKey.length === 0 && !before.businessKey?.length)
    for (const type of businessKeyChecks) named.delete(type);
  if (named.size === 0 && limits === null) return null;
  const checks = [...new Set([...(before.checks ?? []), ...named])];
  const key = businessKey.length > 0 ? { businessKey } : {};
  return withProcessing(draft, { fraud: { ...before, checks, ...key, ...limits } });
};

const limitsIn = (clause: string): Partial<Fraud> | null => {
  const at = '(?:s|ged|ing|ed)?\\s+(?:at|from|above|over)\\s+';
  const flagAt = shareIn(clause, new RegExp(`\\bflag${at}`));
  const blockAt = shareIn(clause, new RegExp(`\\bblock${at}`));
  if (flagAt === null && blockAt === null) return null;
  return { ...(flagAt === null ? {} : { flagAt }), ...(blockAt === null ? {} : { blockAt }) };
};

/** The fields that make two submissions the same, where the clause names such. */
const keyIn = (clause: string, { outputSchema }: Draft): readonly string[] => {
  const list =
    /\bbusiness key\b\s*(?:of|is|are|:|from)?\s*(.+)$/i.exec(clause)?.[1] ??
    /\b(?:the\s+)?same\s+(.+?)(?:\s+(?:twice|again|before|more than once))?$/i.exec(clause)?.[1] ??
    '';
  const names = itemsOf(list).map((item) => nameOf(bare(item)).toLowerCase());
  return outputSchema
    .map(({ name }) => name)
    .filter((name) => names.includes(name.toLowerCase()))
    .slice(0, 20);
};

const OUTCOMES = [
  ['approved', /\bapprov/i],
  ['rejected', /\breject/i],
] as const;
const TWO_PEOPLE =
  /\bfour[- ]eyes?\b|\b(?:two|2)\s+(?:different\s+)?(?:people|persons|reviewers)\b|\bsecond\s+(?:person|reviewer)\b/i;

/** "Two people must approve", "four eyes on approvals and rejections", "no four eyes". */
export const fourEyes: Rule = (clause, draft) => {
  if (!TWO_PEOPLE.test(clause)) return null;
  if (/\b(?:no|without|drop|remove|turn off|disable)\b/i.test(clause))
    return withProcessing(draft, { fourEyes: [] });
  const named = OUTCOMES.flatMap(([outcome, words]) => (words.test(clause) ? [outcome] : []));
  return withProcessing(draft, { fourEyes: named.length > 0 ? named : ['approved'] });
};

/** "Review everything", "never review", "send to review below 85% confidence". */
export const review: Rule = (clause, draft) => {
  // How many people decide is no question of what they look at.
  if (TWO_PEOPLE.test(clause)) return null;
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
const shareIn = (clause: string, before: RegExp): number | null => {
  const pattern = new RegExp(`${before.source}(\\d+(?:\\.\\d+)?)\\s*(%|percent)?`, 'i');
  const [, amount, percent] = pattern.exec(clause) ?? [];
  if (amount === undefined) return null;
  const share = percent !== undefined || Number(amount) > 1 ? Number(amount) / 100 : Number(amount);
  return share <= 1 ? share : null;
};

/** The draft with these members of its processing changed. */
const withProcessing = (draft: Draft, change: Partial<NonNullable<Draft['processing']>>): Draft => ({
  ...draft,
  processing: { ...draft.processing, ...change },
});
