import type { SubmissionDocument } from '../projections/submissions.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { collect } from './pages.ts';

/** The states in which a job still works on behalf of its key. */
const OPEN = ['pending', 'queued', 'processing'];

/** Counting ends here: who revokes a key need not know more than "many". */
export const MOST_COUNTED = 10_000;

/** How many sessions of the key are pending, queued or processing; `MOST_COUNTED` means so many or more. */
export const countOpenSessions = async (models: ReadModels, keyId: string): Promise<number> => {
  let count = 0;
  for (const state of OPEN) {
    const where = { 'submission.routing.keyId': keyId, 'submission.state': state };
    const { items } = await collect<SubmissionDocument>(
      (limit, after) => models.page('submissions', { where, sort: newestFirst, limit, after }),
      MOST_COUNTED - count,
    );
    count += items.length;
    if (count >= MOST_COUNTED) return MOST_COUNTED;
  }
  return count;
};

const newestFirst = [
  { path: 'createdAt', direction: 'descending' },
  { path: 'id', direction: 'descending' },
] as const;
