import { createHash } from 'node:crypto';
import type { CellValue, FieldValue } from '../domain/submission/processingResult.ts';
import { isObject } from '../kernel/changes.ts';
import { REDACTED } from '../kernel/event.ts';
import { rangeWords } from '../kernel/searchRanges.ts';
import { amountWord, wordsIn } from '../kernel/searchWords.ts';
import type { Words } from '../stores/documents/port.ts';
import { newestBy } from './engine/projection.ts';
import { scopePaths } from './submissionFilters.ts';
import type { SubmissionDocument } from './submissions.ts';

/** More than this of a submission is not searched. */
const MAX_LENGTH = 20_000;

/** What a submission is found by: a line of words that were made for it, then its text. */
const textOf = (document: SubmissionDocument): string => {
  const { metadata, extractedData } = document.submission;
  const made = [...metadataWordsOf(metadata), ...valuesIn(extractedData).flatMap(rangeWords)];
  return `${made.join(' ')}\n${writtenIn(document)}`;
};

/** The words of such a text. Those of its first line are not folded, as all that was written is. */
const wordsOf = (text: string): readonly string[] => {
  const end = text.indexOf('\n');
  const made = text.slice(0, end);
  return [...(made ? made.split(' ') : []), ...wordsIn(text.slice(end + 1))];
};

/** What is read, written or named in a submission (search-1). */
const writtenIn = ({ submission, history, notes = [] }: SubmissionDocument): string => {
  const { files, fileNames, clientSubmissionId, batchRef, extractedData } = submission;
  const texts = [
    clientSubmissionId,
    batchRef,
    ...files.map(({ label }) => label),
    ...Object.values(fileNames),
    ...valuesIn(extractedData).flatMap((value) => (typeof value === 'number' ? amountWord(value) : value)),
    ...history.map(({ details }) => details?.comment),
    ...notes.map(({ text }) => text),
  ];
  return texts.filter(isShown).join('\n').slice(0, MAX_LENGTH);
};

/** Begins each word of a member of metadata: what people search for begins with no such letter. */
const RUNE = 'ᛗ';

/**
 * The word that a submission is found by for a member of its metadata (subjects-1): a hash of both, so that
 * no part of either finds it.
 */
const metadataWord = (name: string, value: string): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('hex');
  return `${RUNE}${hash.slice(0, 39)}`;
};

/** The same for a member as `name=value`: the name ends at the first equals sign. */
export const memberWord = (member: string): string => {
  const [name = ''] = member.split('=', 1);
  return metadataWord(name, member.slice(name.length + 1));
};

const metadataWordsOf = (metadata: SubmissionDocument['submission']['metadata']): readonly string[] =>
  isObject(metadata)
    ? Object.entries(metadata).flatMap(([name, value]) =>
        typeof value === 'object' ? [] : [metadataWord(name, String(value))],
      )
    : [];

const isShown = (text: unknown): text is string => typeof text === 'string' && text !== REDACTED;

const valuesIn = (data: SubmissionDocument['submission']['extractedData']): readonly (string | number)[] =>
  data === null || typeof data === 'string'
    ? []
    : Object.values(data)
        .flatMap(cellsOf)
        .flatMap((value) => (typeof value === 'number' || typeof value === 'string' ? [value] : []));

/** A single value, or those of the rows of a table. */
const cellsOf = (value: FieldValue): readonly CellValue[] =>
  typeof value === 'object' && value !== null ? value.flatMap((row) => Object.values(row)) : [value];

/** The words of submissions. */
export const submissionWords = {
  text: textOf,
  wordsIn: wordsOf,
  within: Object.values(scopePaths),
  newest: newestBy('createdAt'),
} as const satisfies Omit<Words, 'text'> & Readonly<{ text(document: SubmissionDocument): string }>;
