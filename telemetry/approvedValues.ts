import type { Instruments } from './metrics/instruments.ts';
import { workflowLabels } from './metrics/table.ts';
import type { Recorder } from './recorder.ts';

/** Counts values that people approved, each once (figures-8). */
export const approvedValues = ({
  intake_approved_values_total: counter,
}: Instruments): Recorder['checked'] => {
  const labelOf = workflowLabels();
  return (slug, { right, corrected, correctedSure }) => {
    const workflow = labelOf(slug);
    counter.inc({ workflow, result: 'right' }, right.length);
    counter.inc({ workflow, result: 'corrected' }, corrected.length - correctedSure.length);
    counter.inc({ workflow, result: 'corrected_sure' }, correctedSure.length);
  };
};
