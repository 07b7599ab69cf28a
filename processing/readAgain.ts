import type { Reading } from '../domain/evaluation/judge.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { WorkflowDefinition } from '../domain/workflow.ts';
import { type WorkflowSettings, withSettings } from '../domain/workflowSettings.ts';
import type { Processor } from './engine/processor.ts';
import { type FetchPorts, withFiles } from './fetchFiles.ts';
import { readByDefinition, resultOf } from './readByDefinition.ts';
import { TRYING } from './tryFile.ts';
import type { Outcome } from './types.ts';

/** The child process that reads for evaluations: there only while it is used, and behind all documents. */
export const EVALUATING = TRYING;

type Ports = Omit<FetchPorts, 'onFetched'> & Readonly<{ processor: Pick<Processor, 'process'> }>;

/** A definition that is tried, as a company has it. */
export type Candidate = Readonly<{ definition: WorkflowDefinition; settings: WorkflowSettings }>;

/**
 * What a candidate reads in the files of a submission, on the day on which they were first read; that it
 * can't read them is a reason. Nothing of it is kept. Throws TransientFailure, and the signal's reason.
 */
export const readAgain =
  ({ processor, ...ports }: Ports) =>
  async (
    submission: Submission,
    candidate: Candidate,
    readAt: string,
    signal: AbortSignal,
  ): Promise<Reading> => {
    const version = withSettings(candidate.definition, candidate.settings);
    const clock = { now: () => new Date(readAt) };
    const fetching = { ...ports, onFetched: () => undefined };
    const { result: outcome } = await withFiles(fetching, submission, signal, (files) =>
      readByDefinition({ processor, clock }, version, files, signal),
    );
    return readingOf(outcome, version);
  };

/** What was read, to be judged; that nothing could be read is a reason. */
export const readingOf = (outcome: Outcome, version: Parameters<typeof resultOf>[1]): Reading => {
  const result = resultOf(outcome, version);
  if (result.kind !== 'extracted') {
    const values = Object.fromEntries(version.outputSchema.map(({ name }) => [name, null]));
    return { values, confidences: {}, confidence: 0, reasons: [result.kind] };
  }
  const { extractedData: values, fieldConfidences: confidences } = result.extraction;
  const reasons = [...new Set(result.reviewReasons.map(({ code }) => code))];
  return { values, confidences, confidence: result.confidence, reasons };
};
