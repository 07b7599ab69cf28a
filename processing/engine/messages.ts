import type { VisualFingerprint } from '../../domain/fraud/pages.ts';
import type {
  Checked,
  Compared,
  Drawn,
  InputFile,
  NoPage,
  Outcome,
  Pages,
  ProcessingVersion,
  Timed,
  VersionFields,
} from '../types.ts';
import { NICE } from './priority.ts';
import type { ReadingStep } from './stopwatch.ts';

/**
 * Read files, only check their formats, judge an extractor's answer, compare pages, list or draw them, or
 * recognise one and time it.
 */
export type Job =
  | Readonly<{ task: 'read'; version: ProcessingVersion; files: readonly InputFile[] }>
  | Readonly<{ task: 'check'; acceptedFormats: readonly string[]; files: readonly InputFile[] }>
  | Readonly<{ task: 'judge'; wanted: VersionFields; answer: string }>
  | Readonly<{
      task: 'compare';
      prints: readonly VisualFingerprint[];
      others: readonly (readonly VisualFingerprint[])[];
    }>
  | Readonly<{ task: 'list'; file: InputFile }>
  | Readonly<{ task: 'draw'; file: InputFile; page: number; width: number }>
  | Readonly<{ task: 'time'; file: InputFile }>;

/** The result of a task; a job that exceeds its limits fails. */
export type Results = Readonly<{
  read: Outcome;
  check: Outcome | Checked;
  judge: Outcome;
  compare: Outcome | Compared;
  list: Outcome | Pages;
  draw: Outcome | Drawn | NoPage;
  time: Outcome | Timed;
}>;
export type JobResult = Results[Job['task']];

/** A report during a job: what is read next (`null`: the search for the fields), or the step. */
export type ProgressReport =
  | Readonly<{ kind: 'reading'; label: string | null }>
  | Readonly<{ kind: 'step'; step: ReadingStep }>;

/** `failed` is a transient failure. */
export type Report =
  | ProgressReport
  | Readonly<{ kind: 'result'; result: JobResult }>
  | Readonly<{ kind: 'failed'; message: string }>;

/**
 * The default limits of a document and the child that reads it (docs/workflows.md). Time is processor time,
 * so that a busy machine fails no document.
 */
export const LIMITS = {
  /** For one page, or the search for the fields, in ms; a page on which text was read may take twice. */
  stepCpuMs: 10_000,
  /** For all else but pages on which text was read, in ms: a hostile file has none, a long one many. */
  otherCpuMs: 12_000,
  /** How long a child may report nothing before it is killed, in ms: a transient failure. */
  silenceMs: 60_000,
  /** Resident memory of a child process, in bytes. */
  memoryBytes: 512 * 1_024 * 1_024,
  /** Its nice value. */
  nice: NICE,
  /** Where the models are that it reads with; null: the shipped ones. */
  modelFolder: null as string | null,
};
export type Limits = Readonly<typeof LIMITS>;

/** A report to the watchdog: a job or a step started, text was read on the current page, or the job ended. */
export type Tick = 'job' | 'step' | 'read' | 'idle';

/** Sent by a watchdog to its own process, so that these ends differ from every other. */
export const MEMORY_SIGNAL = 'SIGUSR2';
/** The same for a job that takes too long. */
export const TIME_SIGNAL = 'SIGXCPU';
