import type { VisualFingerprint } from '../../domain/fraud/pages.ts';
import type { Checked, Compared, InputFile, Outcome, ProcessingVersion, Wanted } from '../types.ts';
import type { ReadingStep } from './stopwatch.ts';

/** What the service asks of a child process: to read files, only to see that they are what they say, to judge what an extractor elsewhere answered, or to compare pages with those of others. */
export type Job =
  | Readonly<{ task: 'read'; version: ProcessingVersion; files: readonly InputFile[] }>
  | Readonly<{ task: 'check'; acceptedFormats: readonly string[]; files: readonly InputFile[] }>
  | Readonly<{ task: 'judge'; wanted: Wanted; answer: string }>
  | Readonly<{
      task: 'compare';
      prints: readonly VisualFingerprint[];
      others: readonly (readonly VisualFingerprint[])[];
    }>;

/** How a job ended. */
export type Ended = Outcome | Checked | Compared;

/** What a child tells: what it is about to read (null: the fields), what it does with it, how it ended, or that it could not be done now. */
export type Report =
  | Readonly<{ kind: 'begun'; label: string | null }>
  | Readonly<{ kind: 'doing'; step: ReadingStep }>
  | Readonly<{ kind: 'outcome'; outcome: Ended }>
  | Readonly<{ kind: 'passing'; message: string }>;

/** What a child is told of its limits. Time is that of the processor, so that a busy machine fails no document. */
export type ChildLimits = Readonly<{
  /** The most processor time that one page, or the search for fields, may take, in ms; a page may take as much again once text was read on it. */
  stepCpuMs: number;
  /** The most processor time that all of one submission may take but its pages on which text is read, in ms: a hostile file has none of these, a long one many. */
  otherCpuMs: number;
  /** The most memory (resident set) that a child process may take, in bytes. */
  memoryBytes: number;
}>;

/** What a child tells its watchdog: a job or a step of it begins, text was read on the page under way, or nothing is to be done. */
export type Tick = 'job' | 'step' | 'read' | 'idle';

/** What a watchdog ends its own process with, so that the service can tell these ends from every other. */
export const MEMORY_SIGNAL = 'SIGUSR2';
export const TIME_SIGNAL = 'SIGXCPU';
