import { shareIn, withProcessing } from './review.ts';
import type { Draft, Rule } from './rule.ts';
import { bare, itemsOf, nameOf } from './words.ts';

type Fraud = NonNullable<NonNullable<Draft['processing']>['fraud']>;
type Check = NonNullable<Fraud['checks']>[number];

const CHECKS: readonly (readonly [RegExp, Check])[] = [
  [/\bnear[- ]duplicates?\b|\b(?:similar|look(?:s|ing)? alike)\b/i, 'near_duplicate_image'],
  [/\bduplicate data\b|\bbusiness key\b|\bsame data\b/i, 'duplicate_data'],
  [/\bduplicates?\b(?! data)|\b(?:same|identical) files?\b|\btwice\b/i, 'duplicate_file'],
  [/\bfraud\b/i, 'duplicate_file'],
];

/** "Check for duplicates", "fraud checks on similar pictures", "flag the same company, date and total", "no fraud checks". */
export const fraud: Rule = (clause, draft) => {
  const before = draft.processing?.fraud ?? {};
  const { policy: _, ...unanswered } = before;
  if (/\b(?:no|without|drop|remove|turn off|disable)\b.*\b(?:fraud|duplicates?)\b/i.test(clause))
    return withProcessing(draft, { fraud: { ...unanswered, checks: [], businessKey: [] } });
  const limits = limitsIn(clause);
  const businessKey = keyIn(clause, draft);
  const named = new Set(CHECKS.flatMap(([pattern, check]) => (pattern.test(clause) ? [check] : [])));
  if (businessKey.length > 0) named.add('duplicate_data');
  // Without a key there is nothing to compare.
  else if (!before.businessKey?.length) named.delete('duplicate_data');
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
