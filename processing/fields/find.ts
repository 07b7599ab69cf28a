import type { OutputField } from '../../domain/workflow.ts';
import { matching } from '../../schemas/ajv.ts';
import type { Line, Page } from '../page.ts';
import type { Content } from '../read/readFile.ts';
import type { FieldResult } from '../types.ts';
import { addressCandidates } from './address.ts';
import { type Candidate, candidate } from './candidate.ts';
import { companyCandidates } from './company.ts';
import { convert } from './convert.ts';
import { dateCandidates } from './date.ts';
import type { Order } from './dates.ts';
import { findEntry } from './entries.ts';
import { headings } from './headings.ts';
import { labelledCandidates, type Searched, searched } from './labelled.ts';
import { wordsIn } from './labels.ts';
import { fromHead, onFirstPage, soonerFirstFile } from './pages.ts';
import { roleOf } from './role.ts';
import { totalCandidates, totalLines } from './total.ts';

const MOST_TOKENS = 2_000;

/** Gives the likeliest value of a field; null when nothing is found. */
export type Find = (field: OutputField) => FieldResult | null;

/**
 * Makes a document ready to find fields in: a member of a JSON document with a field's name, else what the rules for its
 * role (total, date, company, address) or its label point at, else a word that its pattern describes. `asked` are all
 * fields of the version, whose labels are no values.
 */
export const finder = (content: Content, order: Order, asked: readonly OutputField[]): Find => {
  const lines = content.pages.flatMap((page) => page.lines);
  const text = searched(lines, headings(asked));
  return (field) =>
    findEntry(field, content.entries, order) ??
    pick(field, labelledOrByRole(field, content.pages, order, text), order) ??
    pick(field, soonerFirstFile(byPattern(field, lines)), order);
};

const labelledOrByRole = (
  field: OutputField,
  pages: readonly Page[],
  order: Order,
  text: Searched,
): readonly Candidate[] => {
  const lines = text.lines.map(({ line }) => line);
  const labelled = () => soonerFirstFile(labelledCandidates(field, text));
  switch (roleOf(field)) {
    case 'total':
      return orElse(totalCandidates(totalLines(lines)), labelled);
    case 'date':
      return orElse(dateCandidates(lines, order, wordsIn(`${field.label ?? ''} ${field.name}`)), labelled);
    case 'company':
      return orElse(
        [...labelled().slice(0, 1), ...onFirstPage(fromHead(pages), companyCandidates)],
        labelled,
      );
    case 'address':
      return orElse(onFirstPage(fromHead(pages), addressCandidates), labelled);
    case null:
      return labelled();
  }
};

const orElse = (found: readonly Candidate[], other: () => readonly Candidate[]): readonly Candidate[] =>
  found.length > 0 ? found : other();

const byPattern = (field: OutputField, lines: readonly Line[]): readonly Candidate[] => {
  const pattern = field.validation?.pattern;
  if (pattern === undefined || field.type !== 'string') return [];
  const tokens = lines.flatMap((line) => line.words.map((word) => ({ line, word }))).slice(0, MOST_TOKENS);
  const found = new Set(
    matching(
      pattern,
      tokens.map(({ word }) => word.text),
    ),
  );
  return tokens
    .filter(({ word }) => found.has(word.text))
    .map(({ line, word }) => candidate(word.text, found.size === 1 ? 0.85 : 0.5, line, [word]));
};

/** The likeliest candidate that is of the field's type, one that keeps its validation before any that does not. */
const pick = (field: OutputField, candidates: readonly Candidate[], order: Order): FieldResult | null => {
  const typed = candidates
    .map((one) => ({ ...one, value: convert(field.type, one.text, order) }))
    .filter(({ value }) => value !== null && value !== '')
    .sort((a, b) => b.rank - a.rank);
  const texts = new Set(
    valid(
      field,
      typed.map(({ text }) => text),
    ),
  );
  const picked = typed.find(({ text }) => texts.has(text)) ?? typed[0];
  if (!picked) return null;
  const { value, confidence, text, place } = picked;
  return { value, confidence: Math.round(confidence * 1_000) / 1_000, text, place };
};

const valid = ({ type, validation }: OutputField, texts: readonly string[]): readonly string[] => {
  if (type !== 'string') return texts;
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = validation ?? {};
  const fitting = texts.filter((text) => text.length >= minLength && text.length <= maxLength);
  return pattern === undefined ? fitting : matching(pattern, fitting);
};
