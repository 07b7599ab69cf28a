import { analyse } from 'scslre';
import { isText } from '../fieldTypes/all.ts';
import type { Fault } from '../kernel/fault.ts';
import { answersWithin } from './patterns.ts';
import type { WorkflowDefinition } from './workflowDefinition.ts';

/** The length of a text from which quadratic or cubic time matters. */
const MAX_LENGTH = 1_000;
const TRIAL_MS = 200;

/**
 * The patterns of a definition that may exceed their time on some texts, so that their values could not be
 * approved; each with its pointer. Found by an analysis of their quantifiers, and by trying texts of one or
 * two repeated letters. It may take seconds: for a command, not for a server.
 */
export const patternNotes = ({ outputSchema }: WorkflowDefinition): readonly Fault[] =>
  outputSchema.flatMap(({ type, validation }, index): readonly Fault[] => {
    const { pattern, maxLength = Number.POSITIVE_INFINITY } = validation ?? {};
    if (pattern === undefined || !isText(type)) return [];
    const { reports } = analyse({ source: pattern, flags: 'u' });
    const detail =
      reports.some(({ exponential }) => exponential) || isSlow(pattern)
        ? EXPONENTIAL
        : reports.length > 0 && maxLength > MAX_LENGTH
          ? POLYNOMIAL
          : null;
    return detail === null ? [] : [{ pointer: `/outputSchema/${index}/validation/pattern`, detail }];
  });

const EXPONENTIAL =
  'backtracks: on a short text that does not match it may take hours, and what takes too long can’t be approved. Let no two parts that repeat match the same text';
const POLYNOMIAL = `takes time that grows with the square of a text’s length, or faster: give the field a maxLength of ${MAX_LENGTH} or less`;

/**
 * Whether a text of one or two repeated letters exceeds the time: the analysis finds nothing in "(a|aa)+".
 */
const isSlow = (pattern: string): boolean => {
  const letters = [...pattern.replaceAll(/[\\^$()[\]{}|*+?]/gu, '')];
  const pairs = letters.map((letter, index) => `${letter}${letters[index + 1] ?? ''}`);
  const questions = [...new Set(['a', 'A', '0', ' ', '-', ...letters, ...pairs])].map((part) => ({
    pattern,
    text: `${part.repeat(50)}\u0000`,
  }));
  return answersWithin(TRIAL_MS, questions).answers.length < questions.length;
};
