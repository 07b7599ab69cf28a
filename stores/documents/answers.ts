import type { Answers } from './port.ts';

/** The answers of a document, as they are stored. */
export const answersOf = (answers: Answers, document: object): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(answers).map(([which, make]) => [which, make(document)]));
