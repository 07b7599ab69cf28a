import type { BatchRow } from '../../../schemas/batches.ts';
import { Mark } from '../../parts/marks.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.batches;

/** How many of a batch's submissions a person or a rule has decided on. */
export const decidedOf = ({ counts: { processed, review, failed } }: BatchRow): number =>
  processed - review - failed;

/** How much of a batch has been processed. */
export const BatchProgress = ({ batch }: Readonly<{ batch: BatchRow }>) => {
  const { processed, total } = batch.counts;
  return (
    <span>
      <progress
        max={Math.max(total, 1)}
        value={processed}
        aria-label={say(own.processedOf, { name: batch.batchRef ?? own.unknown })}
      />{' '}
      {say(own.progress, { processed, total })}
    </span>
  );
};

/** Whether a batch is complete. */
export const BatchMark = ({ status }: Pick<BatchRow, 'status'>) => (
  <Mark tone={status === 'completed' ? 'good' : ''}>{own.statuses[status]}</Mark>
);
