import type { Draft, Rule } from './rule.ts';
import { bare, capital } from './words.ts';

const MAX_NAME = 60;
const LIST = /,|\band (?:the|an?)\b/i;

/**
 * "A workflow called Petty cash", "a workflow for delivery notes", "rename the workflow to X", "an invoice
 * with …".
 */
export const nameWorkflow: Rule = (clause, draft, { fresh }) => {
  const [, renamed] =
    /\brename\s+(?:it|(?:the|this)\s+workflow)\s+(?:to|into|as)\s+(.+)$/i.exec(clause) ??
    /\b(?:call|name)\s+(?:it|(?:the|this)\s+workflow)\s+(.+)$/i.exec(clause) ??
    [];
  if (renamed !== undefined) return named(draft, bare(renamed), fresh);
  if (!fresh || draft.name !== '') return null;
  const [, called] = /\bworkflow\s+(?:called|named)\s+["“']?([^"”',:]+)/i.exec(clause) ?? [];
  if (called !== undefined) return named(draft, called.replace(/\s+(?:with|that|for|which)\b.*$/i, ''), true);
  const [, about] =
    /\b(?:workflow|definition)\s+for\s+(?:processing\s+|reading\s+|handling\s+)?(.+?)(?=\s+(?:with|that|which|where|from|in)\b|[,:]|$)/i.exec(
      clause,
    ) ??
    /^(?:please\s+)?(?:(?:make|create|draft|build|i need|we need|i want|process|read|handle|take)\s+)?(?:an?|the)\s+(.+?)(?:\s+workflow\b.*|\s+(?:with|that|which|where|has|have)\b.*|:.*|$)/i.exec(
      clause,
    ) ??
    /^(?:please\s+)?(?:(?:i|we)\s+(?:want|need|would like)\s+to\s+)?(?:process|handle|take(?:\s+in)?)\s+(.+?)(?=\s+(?:with|that|which|and|from)\b|[,:]|$)/i.exec(
      clause,
    ) ??
    /^([\p{L}\d-]+(?: [\p{L}\d-]+){0,2})(?::|$)/u.exec(clause) ??
    [];
  // "We need the name, the date and the total" lists fields.
  return about === undefined || LIST.test(about) ? null : named(draft, singular(bare(about)), true);
};

/** A slug never changes: only a new workflow gets one. */
const named = (draft: Draft, words: string, fresh: boolean): Draft | null => {
  const name = capital(words.trim()).slice(0, MAX_NAME).trim();
  const slug = slugOf(name);
  if (slug === '') return null;
  return { ...draft, name, ...(fresh ? { slug } : {}) };
};

/** `delivery-note` for "Delivery note"; may be empty. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '');

const singular = (words: string): string => words.replace(/ies$/i, 'y').replace(/([^s])s$/i, '$1');
