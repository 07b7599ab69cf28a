import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import { usualQuality } from '../domain/pictureQuality.ts';
import type { Result } from '../domain/submission/result.ts';
import type { WorkflowVersion } from '../domain/workflow.ts';
import type { Reviewing } from '../domain/workflowSettings.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Processor } from './engine/processor.ts';
import { reviewReasons } from './reviewReasons.ts';
import type { InputFile, Outcome } from './types.ts';

type Ports = Readonly<{ processor: Pick<Processor, 'process'>; clock: Clock }>;

/** What reading files asks of a version, or of a definition that may become one. */
export type ReadDefinition = Pick<WorkflowVersion, 'outputSchema' | 'upload' | 'processing'>;

/** The day on which something is read, ISO 8601. */
export const todayBy = ({ clock }: Pick<Ports, 'clock'>): string => clock.now().toISOString().slice(0, 10);

/**
 * Reads files as a definition says: what was read, without a judgement on it. Its definition has no server of
 * its own that reads. `fingerprints`: whether pictures are fingerprinted too. Throws TransientFailure, and
 * the signal's reason.
 */
export const readByDefinition = (
  { processor, clock }: Ports,
  { outputSchema, upload, processing }: ReadDefinition,
  files: readonly InputFile[],
  signal: AbortSignal,
  fingerprints = false,
): Promise<Outcome> => {
  const { extractor } = processing;
  if (typeof extractor === 'object') throw new Error('what a server of its own reads is not read here');
  const how = {
    outputSchema,
    outputJsonSchema: outputJsonSchemaOf(outputSchema),
    acceptedFormats: upload.acceptedFormats,
    extractor,
    quality: processing.quality ?? usualQuality,
    today: todayBy({ clock }),
    fingerprints,
  };
  return processor.process(how, files, signal);
};

/** What an outcome means by the definition, without the fraud checks: also why it needs a review. */
export const resultOf = (
  outcome: Outcome,
  { outputSchema, processing }: Pick<ReadDefinition, 'outputSchema'> & Readonly<{ processing: Reviewing }>,
): Result => {
  if (outcome.kind !== 'extracted') return outcome;
  const {
    kind,
    confidence,
    certainty,
    findings: _f,
    fingerprintedPages: _p,
    words: _w,
    ...extraction
  } = outcome;
  const reasons = reviewReasons(outcome, processing, outputSchema);
  return { kind, extraction, confidence, certainty, reviewReasons: reasons, fraud: null };
};
