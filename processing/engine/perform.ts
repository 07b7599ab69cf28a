import { readFile } from 'node:fs/promises';
import { attempt, ending } from '../attempt.ts';
import type { Recogniser } from '../read/ocr.ts';
import { sniff } from '../read/sniff.ts';
import { cpuMs } from './budget.ts';
import type { Job, JobResult } from './messages.ts';

/**
 * Does a job in this process; `onStep` is called before each file or page (its label) and before the search
 * for the fields (null).
 */
export const perform = async (
  job: Job,
  recogniser: Recogniser,
  onStep: (label: string | null) => void,
): Promise<JobResult> => {
  switch (job.task) {
    case 'read':
      return attempt(job.version, job.files, recogniser, onStep);
    case 'check':
      return ending(async () => {
        for (const file of job.files) {
          onStep(file.label);
          await sniff(file, await readFile(file.path), job.acceptedFormats);
        }
        return { kind: 'checked' };
      });
    case 'judge':
      onStep(null);
      return ending(async () => {
        // Only here: the schema of an answer takes longer to load than most files to read.
        const { outcomeOfAnswer } = await import('../extractor/answer.ts');
        return outcomeOfAnswer(job.wanted, job.answer);
      });
    case 'compare': {
      const { compareAll } = await import('../fraud/similarity/compareAll.ts');
      onStep(null);
      const start = cpuMs();
      return { kind: 'compared', ...compareAll(job.prints, job.others, () => cpuMs() - start) };
    }
  }
};
