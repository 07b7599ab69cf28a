import type { Place } from '../../domain/submission/processingResult.ts';
import { atMost, boxAround, inTextOrder, type Line, type Word } from '../page.ts';
import { mayHaveMarks } from './lostMarks.ts';

/**
 * A text that may be a field's value and where it was read. `rank` orders the candidates of a field;
 * `confidence` (0..1) is how likely it is right to the letter, so doubts about its letters weigh more there.
 * `least` is that of its least legible word, 1 where nothing was recognised. `reads` is the text in a usual
 * notation, where the file has one of its own.
 */
export type Candidate = Readonly<{
  text: string;
  rank: number;
  confidence: number;
  least: number;
  place: Place;
  reads?: string;
}>;

/** A candidate from words of a line; a `likelihood` above 1 counts for the rank only. */
export const candidate = (
  text: string,
  likelihood: number,
  line: Line,
  words: readonly Word[] = line.words,
): Candidate => ({
  text,
  rank: likelihood * (0.5 + legibility(words) / 2),
  confidence: Math.min(BEST, Math.max(0, likelihood)) * legibility(words),
  least: leastOf(words),
  place: { ...line.place, box: boxAround(words) ?? line.place.box },
});

/** A candidate with a confidence below the usual review threshold: it is for a person to check. */
export const doubtful = (one: Candidate): Candidate => atMost(DOUBTFUL, one);

/** Below the usual review threshold. */
export const DOUBTFUL = 0.75;

/** A text with a word whose letters are less sure is more often wrong than right. */
const LEGIBLE = 0.9;

/** Whether words of a text, the least sure of them so sure, have to be checked by a person to the letter. */
export const isIllegible = (least: number, text: string, losesMarks: boolean): boolean =>
  least < LEGIBLE || (losesMarks && least < 1 && mayHaveMarks(text));

/** Candidates with those of later files ranked lower: attachments repeat values. */
export const preferFirstFile = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const first = candidates[0]?.place.fileId;
  return candidates.map((one) =>
    one.place.fileId === first ? one : { ...one, rank: one.rank * LATER_FILE },
  );
};

const LATER_FILE = 0.8;

/** The lowest confidence of words; 1 without any. */
export const leastOf = (words: readonly Word[]): number =>
  words.reduce((before, { confidence }) => Math.min(before, confidence), 1);

/** The legibility of words, 0..1: half the mean confidence, half the least. Without words 1. */
export const legibility = (words: readonly Word[]): number => {
  if (words.length === 0) return 1;
  const sum = words.reduce((before, { confidence }) => before + confidence, 0);
  return sum / words.length / 2 + leastOf(words) / 2;
};

/** The words in a range of their text. */
export const wordsWithin = (words: readonly Word[], start: number, end: number): readonly Word[] => {
  let at = 0;
  return inTextOrder(words).filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from < end && from + text.length > start;
  });
};

// Only members of JSON documents are certain.
const BEST = 0.99;
