import type { InputFile, Outcome, ProcessingVersion } from '../types.ts';

/** What the service asks of a child process. */
export type Job = Readonly<{ version: ProcessingVersion; files: readonly InputFile[] }>;

/** What a child tells: what it is about to read (null: the fields), how it ended, or that it could not be done now. */
export type Report =
  | Readonly<{ kind: 'step'; label: string | null }>
  | Readonly<{ kind: 'outcome'; outcome: Outcome }>
  | Readonly<{ kind: 'passing'; message: string }>;

/** Sent by a child's watchdog to its own process: how the service tells "too much memory" from every other end. */
export const MEMORY_SIGNAL = 'SIGUSR2';
