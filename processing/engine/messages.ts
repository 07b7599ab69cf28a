import type { VisualFingerprint } from '../../domain/fraud/pages.ts';
import type { Checked, Compared, InputFile, Outcome, ProcessingVersion, VersionFields } from '../types.ts';
import type { ReadingStep } from './stopwatch.ts';

/** A job of a child process: read files, only check what they are, judge an extractor's answer, or compare pages. */
export type Job =
  | Readonly<{ task: 'read'; version: ProcessingVersion; files: readonly InputFile[] }>
  | Readonly<{ task: 'check'; acceptedFormats: readonly string[]; files: readonly InputFile[] }>
  | Readonly<{ task: 'judge'; wanted: VersionFields; answer: string }>
  | Readonly<{
      task: 'compare';
      prints: readonly VisualFingerprint[];
      others: readonly (readonly VisualFingerprint[])[];
    }>;

export type JobResult = Outcome | Checked | Compared;

/** What a child reports during a job: what it reads next (`null`: the search for the fields), and the step. */
export type ProgressReport =
  | Readonly<{ kind: 'reading'; label: string | null }>
  | Readonly<{ kind: 'step'; step: ReadingStep }>;

/** What a child reports; `failed` is a transient failure. */
export type Report =
  | ProgressReport
  | Readonly<{ kind: 'result'; result: JobResult }>
  | Readonly<{ kind: 'failed'; message: string }>;

/** The limits of a child. Time is processor time, so that a busy machine fails no document. */
export type ChildLimits = Readonly<{
  /** For one page, or the search for the fields, in ms; a page on which text was read may take twice that. */
  stepCpuMs: number;
  /** For all of one submission but its pages on which text was read, in ms: a hostile file has none, a long one many. */
  otherCpuMs: number;
  /** Resident memory of a child process, in bytes. */
  memoryBytes: number;
}>;

/** What a child reports to its watchdog: a job or a step started, text was read on the current page, or the job ended. */
export type Tick = 'job' | 'step' | 'read' | 'idle';

/** What a watchdog ends its own process with, so that the service can tell these ends from every other. */
export const MEMORY_SIGNAL = 'SIGUSR2';
export const TIME_SIGNAL = 'SIGXCPU';
