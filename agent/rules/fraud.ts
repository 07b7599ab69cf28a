import { businessKeyChecks, fraudChecks } from '../../domain/fraud/checks.ts';
import { shareIn, withProcessing } from './review.ts';
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
