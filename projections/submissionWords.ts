import { createHash } from 'node:crypto';
import type { FieldValue } from '../domain/submission/processingResult.ts';
import { isObject } from '../kernel/changes.ts';
import { REDACTED } from '../kernel/event.ts';
import { amountWord, wordsIn } from '../kernel/searchWords.ts';
import type { Words } from '../stores/documents/port.ts';
import { newestBy } from './engine/projection.ts';
import { scopePaths } from './submissionFilters.ts';
import type { SubmissionDocument } from './submissions.ts';

/** More than this of a submission is not searched. */
const MAX_LENGTH = 20_000;

/** What a submission is found by (search-1): what is read, written or named in it. */
const textOf = ({ submission, history, notes = [] }: SubmissionDocument): string => {
  const { files, fileNames, clientSubmissionId, batchRef, extractedData } = submission;
  const texts = [
    ...metadataWordsOf(submission.metadata),
    clientSubmissionId,
    batchRef,
    ...files.map(({ label }) => label),
    ...Object.values(fileNames),
    ...valuesIn(extractedData),
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
export const metadataWord = (name: string, value: string): string => {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('hex');
  return `${RUNE}${hash.slice(0, 39)}`;
};

const metadataWordsOf = (metadata: SubmissionDocument['submission']['metadata']): readonly string[] =>
  isObject(metadata)
    ? Object.entries(metadata).flatMap(([name, value]) =>
        typeof value === 'object' ? [] : [metadataWord(name, String(value))],
      )
    : [];

const isShown = (text: unknown): text is string => typeof text === 'string' && text !== REDACTED;

const valuesIn = (data: SubmissionDocument['submission']['extractedData']): readonly string[] =>
  data === null || typeof data === 'string'
    ? []
    : Object.values(data).flatMap((value: FieldValue) =>
        typeof value === 'number' ? amountWord(value) : typeof value === 'string' ? [value] : [],
      );

/** The words of submissions. */
export const submissionWords = {
  text: textOf,
  wordsIn,
  within: Object.values(scopePaths),
  newest: newestBy('createdAt'),
} as const satisfies Omit<Words, 'text'> & Readonly<{ text(document: SubmissionDocument): string }>;
