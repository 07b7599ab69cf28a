import type { Measures } from '../recorder.ts';
import { type Instruments, LONG_SECONDS } from './instruments.ts';

/** Reading submissions: how many at once, how long they and their steps take, how many pages. */
export const processingMeasures = ({
  counter,
  gauge,
  histogram,
}: Instruments): Pick<Measures, 'examined' | 'stepTaken' | 'pagesRead' | 'pairsLeft' | 'processing'> => {
  const duration = histogram(
    'intake_processing_duration_seconds',
    'Fetching and reading the files of a submission, in seconds',
    LONG_SECONDS,
  );
  const steps = histogram(
    'intake_processing_step_duration_seconds',
    'What a step of processing a submission took, in seconds',
    LONG_SECONDS,
    ['step'],
  );
  const pages = counter('intake_processing_pages_total', 'Pages that were read: its rate is pages a second');
  const left = counter(
    'intake_near_duplicate_pairs_left_total',
    'Pairs of pages that were not compared for near duplicates: a check may cost so much',
  );
  const running = gauge('intake_processing_running', 'Submissions that this process processes now', []);
  const most = gauge('intake_processing_slots', 'How many it processes at once at the most', []);
  return {
    examined: (durationMs) => duration.observe(durationMs / 1_000),
    stepTaken: (step, durationMs) => steps.observe({ step }, durationMs / 1_000),
    pagesRead: (count) => pages.inc(count),
    pairsLeft: (count) => left.inc(count),
    processing: (now, atMost) => {
      running.set(now);
      most.set(atMost);
    },
  };
};
