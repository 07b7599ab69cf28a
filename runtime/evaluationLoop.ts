import { createProcessor } from '../processing/engine/processor.ts';
import { EVALUATING, readAgain } from '../processing/readAgain.ts';
import type { EvaluationItem } from '../projections/evaluationQueue.ts';
import { runEvaluation } from '../reactors/runEvaluation.ts';
import type { LoopPorts } from './processingLoop.ts';
import type { Core } from './wire.ts';
import { type WorkerCore, workerLoop } from './workerLoop.ts';

/** What the loop takes of the core. */
export type EvaluationCore = WorkerCore & Pick<Core, 'handle' | 'log' | 'clock' | 'evaluationQueue'>;

/** Claims evaluations, one at once, and reads their submissions while no document waits. */
export const evaluationLoop = (
  core: EvaluationCore,
  { objects, startReader, workFolder }: Pick<LoopPorts, 'objects' | 'startReader' | 'workFolder'>,
  signal: AbortSignal,
): Promise<void> => {
  const processor = createProcessor(EVALUATING, startReader);
  const { clock, evaluationQueue } = core;
  return workerLoop<EvaluationItem>(core, {
    name: 'evaluations',
    queue: 'evaluationQueue',
    needs: ['events', 'objects'],
    capacity: (running) => ({ limit: 1 - running, perLane: 1, skip: [] }),
    work: runEvaluation({
      ...core,
      read: readAgain({ objects, workFolder, processor }),
      documentsWait: () => evaluationQueue.documentsWait(clock.now().toISOString()),
      isGoing: evaluationQueue.isGoing,
      elapsedMs: () => performance.now(),
    }),
    signal,
  }).finally(processor.close);
};
