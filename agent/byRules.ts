import { definitionProblems } from '../schemas/definitionProblems.ts';
import type { Draft as Drafted, DraftRequest } from '../schemas/identity.ts';
import { fieldOf } from './rules/field.ts';
import { addFields, removeFields, renameField, requireFields, retypeField } from './rules/fields.ts';
import { acceptFormats, countFiles, labelFiles, sizeFiles } from './rules/files.ts';
import { nameWorkflow, slugOf } from './rules/naming.ts';
import { fourEyes, fraud, review } from './rules/processing.ts';
import type { Draft, Field, Rule, Setting } from './rules/rule.ts';
import { clausesOf, itemsOf } from './rules/words.ts';

/** Tried in this order: a clause that removes or renames a field adds none. */
const FIELD_RULES: readonly Rule[] = [
  renameField,
  removeFields,
  retypeField,
  requireFields,
  fraud,
  addFields,
];
const OTHER_RULES: readonly Rule[] = [
  nameWorkflow,
  labelFiles,
  countFiles,
  sizeFiles,
  acceptFormats,
  review,
  fourEyes,
];

/** Each part is checked with all before it: the time grows with the square of their number. */
const MAX_CLAUSES = 100;
const DEFAULT_FORMATS = ['application/pdf', 'image/jpeg', 'image/png'];

const BLANK: Draft = {
  slug: '',
  name: '',
  upload: { minFiles: 1, maxFiles: 1, acceptedFormats: [], fileLabels: [], maxFileSizeMb: 10 },
  outputSchema: [],
};

/**
 * Drafts or revises a definition by built-in rules for plain English: field lists with types, file formats
 * and counts, review, fraud checks. A note names each part of the instruction that no rule understands.
 */
export const draftByRules = ({ instruction, draft }: DraftRequest): Drafted => {
  const setting = { fresh: draft === null };
  let current = draft ?? BLANK;
  const notes: string[] = [];
  const clauses = clausesOf(instruction);
  if (clauses.length > MAX_CLAUSES)
    notes.push(
      `Only the first ${MAX_CLAUSES} parts of ${clauses.length} were read: send the rest with this draft.`,
    );
  for (const clause of clauses.slice(0, MAX_CLAUSES)) {
    const next = applied(clause, current, setting);
    const fault = next && faultOf(next, setting);
    const quoted = `"${clause.slice(0, 200)}"`;
    if (next === null) notes.push(`Not understood, and left out: ${quoted}.`);
    else if (fault !== null) notes.push(`Left out, since ${fault}: ${quoted}.`);
    else current = next;
  }
  const whole = setting.fresh ? completed(current, instruction, notes) : current;
  return { draft: whole, notes: [...(setting.fresh ? [] : unchangedNote(draft, whole)), ...notes] };
};

const applied = (clause: string, draft: Draft, setting: Setting): Draft | null => {
  const field = firstOf(FIELD_RULES, clause, draft, setting);
  return OTHER_RULES.reduce<Draft | null>(
    (found, rule) => rule(clause, found ?? draft, setting) ?? found,
    field,
  );
};

const firstOf = (rules: readonly Rule[], clause: string, draft: Draft, setting: Setting) => {
  for (const rule of rules) {
    const next = rule(clause, draft, setting);
    if (next) return next;
  }
  return null;
};

/** The first fault of a draft; of a new one, once its missing members are filled in. */
const faultOf = (draft: Draft, { fresh }: Setting): string | null => {
  const [fault] = definitionProblems(fresh ? completed(draft, '', []) : draft);
  return fault ? `${fault.pointer} ${fault.detail}` : null;
};

/** A new draft with defaults for all that the instruction leaves open. */
const completed = (draft: Draft, instruction: string, notes: string[]): Draft => {
  const usual = draft.outputSchema.length === 0 ? usualFields(`${draft.name} ${instruction}`) : null;
  if (draft.outputSchema.length === 0)
    notes.push(
      usual
        ? 'No fields were named: these are the usual ones of such a document.'
        : 'No fields were named: list them, such as "extract the vendor, the date and the total".',
    );
  if (draft.upload.acceptedFormats.length === 0)
    notes.push('No file formats were named: PDF, JPEG and PNG are accepted.');
  const name = draft.name === '' ? 'Document' : draft.name;
  const { acceptedFormats } = draft.upload;
  return {
    ...draft,
    name,
    slug: draft.slug === '' ? slugOf(name) : draft.slug,
    upload: {
      ...draft.upload,
      acceptedFormats: acceptedFormats.length === 0 ? DEFAULT_FORMATS : acceptedFormats,
    },
    outputSchema: draft.outputSchema.length === 0 ? (usual ?? anyFields) : draft.outputSchema,
  };
};

/** The usual fields of some kinds of documents, for an instruction that names none. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\binvoices?\b/i, 'vendor, invoice number, date, due date (optional), total, VAT (optional)'],
  [/\breceipts?\b/i, 'company, date, total, tax (optional)'],
  [
    /\b(?:passports?|identity|id cards?|driving licen[cs]es?)\b/i,
    'name, date of birth, document number, expiry date',
  ],
  [
    /\b(?:delivery notes?|packing lists?)\b/i,
    'sender, delivery note number, date, number of items (optional)',
  ],
  [/\bcontracts?\b/i, 'parties, date, start date (optional), end date (optional)'],
];

/** The usual fields of the kind of document that a text names, null when it names none of these. */
const usualFields = (text: string): readonly Field[] | null => {
  const list = KINDS.find(([pattern]) => pattern.test(text))?.[1];
  return list === undefined ? null : itemsOf(list).flatMap((item) => fieldOf(item) ?? []);
};

/** The fields of any other document. */
const anyFields: readonly Field[] = [
  { name: 'title', label: 'Title', required: true, type: 'string' },
  { name: 'date', label: 'Date', required: false, type: 'date' },
];

const unchangedNote = (before: Draft | null, after: Draft): readonly string[] =>
  JSON.stringify(before) === JSON.stringify(after) ? ['Nothing was changed.'] : [];
