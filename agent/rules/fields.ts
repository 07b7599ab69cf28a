import { businessKeyChecks } from '../../domain/fraud/checks.ts';
import { fieldOf, typeNamed } from './field.ts';
import type { Draft, Field, Rule } from './rule.ts';
import { bare, capital, itemsOf, nameOf } from './words.ts';

/** Whether words name this field, by its name or its label. */
const isNamed =
  (words: string) =>
  ({ name, label = name }: Field): boolean =>
    [name, nameOf(label)].some((one) => one.toLowerCase() === nameOf(bare(words)).toLowerCase());

/** The fields that a list names; null unless all of it names fields. */
const namedIn = (draft: Draft, list: string): readonly Field[] | null => {
  const items = itemsOf(list.replace(/\s+(?:fields?|anymore|any more|again)$/i, ''));
  const found = items.flatMap((item) => draft.outputSchema.find(isNamed(item)) ?? []);
  return found.length > 0 && found.length === items.length ? found : null;
};

const changed = (draft: Draft, which: readonly Field[], change: Partial<Field>): Draft => ({
  ...draft,
  outputSchema: draft.outputSchema.map((field) => (which.includes(field) ? { ...field, ...change } : field)),
});

const withFields = (draft: Draft, list: string): Draft | null => {
  const items = qualified(itemsOf(list)).filter((item) => !FILES.test(item));
  const fields = items.flatMap((item) => fieldOf(item) ?? []);
  const fresh = fields.filter(
    ({ name }, index) =>
      !draft.outputSchema.some(isNamed(name)) && fields.findIndex((one) => one.name === name) === index,
  );
  if (fields.length === 0) return null;
  return { ...draft, outputSchema: [...draft.outputSchema, ...fresh].slice(0, 500) };
};

const QUALIFIER = /^(?:an?\s+)?(?:required|mandatory|optional|number|integer|date|text|boolean|yes\/no)$/i;

/** "total: number, required" is one field: a qualifier belongs to the item before it. */
const qualified = (items: readonly string[]): readonly string[] => {
  const whole: string[] = [];
  for (const item of items) {
    const last = whole.at(-1);
    // A date may well be a field of its own.
    const isField = !QUALIFIER.test(item) || (/date/i.test(item) && !last?.includes(':'));
    if (last === undefined || isField) whole.push(item);
    else whole[whole.length - 1] = `${last}${last.includes(':') ? ',' : ':'} ${item}`;
  }
  return whole;
};

const FILES =
  /\b(?:formats?|files?|photos?|pictures?|images?|scans?|pdfs?|pages?|uploads?|review|fraud|duplicates?)\b/i;
const OBJECT =
  '(?:(?:the|these|those|following)\\s+)*(?:fields?\\b\\s*)?(?:are\\b|called\\b|named\\b|such as\\b)?\\s*:?\\s*';
const LISTS: readonly RegExp[] = [
  new RegExp(`\\badd\\s+(?:(?:an?|another|the)\\s+)?${OBJECT}(.+)$`, 'i'),
  new RegExp(
    `\\b(?:extract|capture|collect|read|find|record|return|pull out|get)(?:ing|s)?\\s+${OBJECT}(.+)$`,
    'i',
  ),
  /\bfields?\b\s*(?:to (?:extract|read|find))?\s*(?:are|is|called|named)?\s*:?\s+(.+)$/i,
  /\bwith\s+(?:the\s+)?(?:fields?\s*:?\s*)?(.+)$/i,
];

/** Lists only of several fields: "we need the name and the date", "parking fines: plate and amount". */
const LOOSE_LISTS: readonly RegExp[] = [
  /^(?:please\s+)?(?:i|we)\s+(?:need|want)\s+(?:the|its|their)\s+(.+)$/i,
  /^(?:[^:]*\bworkflow\b[^:]*|[\p{L}\d-]+(?: [\p{L}\d-]+){0,2}):\s+(.+)$/iu,
];

/** "Extract the vendor, the total (number) and a due date": new fields. */
export const addFields: Rule = (clause, draft, { fresh }) => {
  // The later part of a clause, about files or reviews, is for other rules.
  const [about = ''] = clause.split(
    /,?\s+(?:from|in|out of|on)\s+(?:up to|at most|the|an?|each|every)\s+|,?\s+(?:then|but)\s+/i,
  );
  for (const [index, pattern] of LISTS.entries()) {
    const list = pattern.exec(about)?.[1];
    if (list === undefined) continue;
    if (index > 1 && !fresh) continue;
    const added = withFields(draft, list);
    if (added) return added;
  }
  return fresh && draft.outputSchema.length === 0 ? addLooseFields(about, draft) : null;
};

const addLooseFields = (about: string, draft: Draft): Draft | null => {
  const lists = LOOSE_LISTS.flatMap((pattern) => pattern.exec(about)?.[1] ?? []);
  const [list = ''] = lists.filter((items) => itemsOf(items).length > 1 && !FILES.test(about));
  return withFields(draft, list);
};

/** "Remove the tax field", "drop vendor and note". */
export const removeFields: Rule = (clause, draft) => {
  const list = /\b(?:remove|drop|delete|omit|leave out|take out|without)\s+(.+)$/i.exec(clause)?.[1];
  const removed = list === undefined ? null : namedIn(draft, list);
  if (removed === null || removed.length === draft.outputSchema.length) return null;
  const names = new Set(removed.map(({ name }) => name));
  const { processing } = draft;
  const kept = processing?.fraud?.businessKey?.filter((name) => !names.has(name)) ?? [];
  return {
    ...draft,
    outputSchema: draft.outputSchema.filter((field) => !removed.includes(field)),
    ...(processing?.fraud?.businessKey ? { processing: withKey(processing, kept) } : {}),
  };
};

type Processing = NonNullable<Draft['processing']>;

/** Without any field a business key matches nothing: its check is removed too. */
const withKey = (processing: Processing, businessKey: readonly string[]): Processing => ({
  ...processing,
  fraud: {
    ...processing.fraud,
    businessKey,
    ...(businessKey.length > 0
      ? {}
      : { checks: (processing.fraud?.checks ?? []).filter((check) => !businessKeyChecks.includes(check)) }),
  },
});

/** "Rename the total to amount due". */
export const renameField: Rule = (clause, draft) => {
  const [, from = '', to = ''] = /\brename\s+(.+?)\s+(?:to|into|as)\s+(.+)$/i.exec(clause) ?? [];
  const field = draft.outputSchema.find(isNamed(from.replace(/^(?:the\s+)?field\s+/i, '')));
  const name = nameOf(bare(to));
  if (!field || name === '' || draft.outputSchema.some((one) => one.name === name)) return null;
  const { processing } = draft;
  const key = processing?.fraud?.businessKey?.map((one) => (one === field.name ? name : one));
  return {
    ...changed(draft, [field], { name, label: capital(bare(to)).slice(0, 128) }),
    ...(processing && key ? { processing: withKey(processing, key) } : {}),
  };
};

/** "Make the date a number", "change total to text". */
export const retypeField: Rule = (clause, draft) => {
  const [, words = '', type = ''] =
    /\b(?:make|change|turn)\s+(?:the\s+)?(?:type of\s+)?(.+?)\s+(?:(?:in)?to|as|be|an?)\s+(?:be\s+)?(?:an?\s+)?(.+)$/i.exec(
      clause,
    ) ?? [];
  const fields = namedIn(draft, words);
  const named = typeNamed(type);
  return fields && named ? changed(draft, fields, { type: named }) : null;
};

/**
 * "Total and date are required", "make vendor optional", "all fields are optional", "only the total is
 * required".
 */
export const requireFields: Rule = (clause, draft, { fresh }) => {
  const verdict = verdictIn(
    clause.replace(/,?\s*(?:and\s+)?(?:the\s+)?(?:rest|others?|everything else)\b.*$/i, ''),
  );
  if (verdict === null) return null;
  const { list, required } = verdict;
  if (/^(?:(?:all|every|each)\b|everything$)/i.test(list))
    return changed(draft, draft.outputSchema, { required });
  const fields = namedIn(draft, list.replace(/^only\s+/i, ''));
  if (fields === null) return null;
  // To list the required fields of a new workflow makes all others optional.
  const ofAll = required && (fresh || /^only\b/i.test(list));
  const others = ofAll ? draft.outputSchema.filter((field) => !fields.includes(field)) : [];
  return changed(changed(draft, fields, { required }), others, { required: false });
};

const verdictIn = (clause: string): Readonly<{ list: string; required: boolean }> | null => {
  const [, ordered] = /^(?:please\s+)?require\s+(.+)$/i.exec(clause) ?? [];
  if (ordered !== undefined) return { list: ordered, required: true };
  const [, list, verdict] =
    /^(?:please\s+)?(?:make\s+)?(.+?)\s+(?:(?:is|are|be|should be|must be)\s+)?(required|mandatory|not required|optional)$/i.exec(
      clause,
    ) ?? [];
  return list === undefined || verdict === undefined
    ? null
    : { list, required: /^(?:required|mandatory)$/i.test(verdict) };
};
