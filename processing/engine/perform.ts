import { readFile } from 'node:fs/promises';
import { attempt } from '../attempt.ts';
import { ending } from '../ending.ts';
import type { Recogniser } from '../read/ocr.ts';
import { sniff } from '../read/sniff.ts';
import type { Ended, Job } from './messages.ts';

/** Tells the processor time that this process has taken since now, in ms. */
const createCpuClock = (): (() => number) => {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
};

/** Does a job in this process; `step` is told before each file or page (its label) and before the fields are looked for (null). */
export const perform = async (
  job: Job,
  recogniser: Recogniser,
  step: (label: string | null) => void,
): Promise<Ended> => {
  switch (job.task) {
    case 'read':
      return attempt(job.version, job.files, recogniser, step);
    case 'check':
      return ending(async () => {
        for (const file of job.files) {
          step(file.label);
          await sniff(file, await readFile(file.path), job.acceptedFormats);
        }
        return { kind: 'checked' };
      });
    case 'judge':
      step(null);
      return ending(async () => {
        // Only here: the schema of an answer takes longer to load than most files to read.
        const { answered } = await import('../extractor/answer.ts');
        return answered(job.wanted, job.answer);
      });
    case 'compare': {
      const { compareAll } = await import('../fraud/similarity/compareAll.ts');
      step(null);
      return { kind: 'compared', ...compareAll(job.prints, job.others, createCpuClock()) };
    }
  }
};
