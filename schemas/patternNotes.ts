import { analyse } from 'scslre';
import type { Fault } from '../kernel/fault.ts';
import { answersWithin } from './patterns.ts';
import type { WorkflowDefinition } from './workflowDefinition.ts';

/** Where a square of a text's length, or a cube, begins to take its time. */
const LONG = 1_000;
const TRIED_MS = 200;

/**
 * Which patterns of a definition may take too long on some texts, so that their values could not be approved;
 * each with its pointer. What an analysis of their quantifiers finds, and what some texts of a letter or two
 * show. It may take seconds: it is for a command, not for a server.
 */
export const patternNotes = ({ outputSchema }: WorkflowDefinition): readonly Fault[] =>
  outputSchema.flatMap(({ type, validation }, index): readonly Fault[] => {
    const { pattern, maxLength = Number.POSITIVE_INFINITY } = validation ?? {};
    if (pattern === undefined || !(type === 'string' || type === 'date')) return [];
    const { reports } = analyse({ source: pattern, flags: 'u' });
    const detail =
      reports.some(({ exponential }) => exponential) || takesLong(pattern)
        ? EXPONENTIAL
        : reports.length > 0 && maxLength > LONG
          ? POLYNOMIAL
          : null;
    return detail === null ? [] : [{ pointer: `/outputSchema/${index}/validation/pattern`, detail }];
  });

const EXPONENTIAL =
  'backtracks: on a short text that does not match it may take hours, and what takes too long can’t be approved. Let no two parts that repeat match the same text';
const POLYNOMIAL = `takes time that grows with the square of a text’s length, or faster: give the field a maxLength of ${LONG} or less`;

/**
 * Whether a text of one letter or two keeps the pattern busy, with an end that hardly any pattern has: no
 * quantifier of "(a|aa)+" is at fault.
 */
const takesLong = (pattern: string): boolean => {
  const letters = [...pattern.replaceAll(/[\\^$()[\]{}|*+?]/gu, '')];
  const pairs = letters.map((letter, index) => `${letter}${letters[index + 1] ?? ''}`);
  const questions = [...new Set(['a', 'A', '0', ' ', '-', ...letters, ...pairs])].map((part) => ({
    pattern,
    text: `${part.repeat(50)}\u0000`,
  }));
  return answersWithin(TRIED_MS, questions).answers.length < questions.length;
};
