import type { Print } from '../../domain/submission/prints.ts';
import type { Spent } from '../stopwatch.ts';
import type { Checked, Compared, InputFile, Outcome, ProcessingVersion, Wanted } from '../types.ts';

/** What the service asks of a child process: to read files, only to see that they are what they say, to judge what an extractor elsewhere answered, or to compare pages with those of others. */
export type Job =
  | Readonly<{ task: 'read'; version: ProcessingVersion; files: readonly InputFile[] }>
  | Readonly<{ task: 'check'; acceptedFormats: readonly string[]; files: readonly InputFile[] }>
  | Readonly<{ task: 'judge'; wanted: Wanted; answer: string }>
  | Readonly<{ task: 'compare'; prints: readonly Print[]; others: readonly (readonly Print[])[] }>;

/** How a job ended. */
export type Ended = Outcome | Checked | Compared;

/** What a child tells: what it is about to read (null: the fields), how it ended, or that it could not be done now. */
export type Report =
  | Readonly<{ kind: 'step'; label: string | null }>
  | Readonly<{ kind: 'outcome'; outcome: Ended; spent: Spent }>
  | Readonly<{ kind: 'passing'; message: string }>;

/** What a child is told of its limits. Time is that of the processor, so that a busy machine fails no document. */
export type ChildLimits = Readonly<{
  /** The most processor time that one page, or the search for fields, may take, in ms. */
  stepCpuMs: number;
  /** The most processor time that one submission may take, in ms. */
  totalCpuMs: number;
  /** The most memory (resident set) that a child process may take, in bytes. */
  memoryBytes: number;
}>;

/** What a child tells its watchdog: a job or a step of it begins, or nothing is to be done. */
export type Tick = 'job' | 'step' | 'idle';

/** What a watchdog ends its own process with, so that the service can tell these ends from every other. */
export const MEMORY_SIGNAL = 'SIGUSR2';
export const TIME_SIGNAL = 'SIGXCPU';
