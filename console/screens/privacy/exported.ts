import { IntakeError } from '../../../client/error.ts';
import { api } from '../../app/api.ts';
import type { Zip } from './zip.ts';

const PATH = '/api/v1/submissions/{submissionId}';
/** A package has all files of its submission. */
const LIMIT_MS = 600_000;
const PAUSE_MS = 5_000;
const TOO_MANY = 429;

const json = (document: object): Blob =>
  new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' });

/**
 * Adds what the service answers of a submission, its events, and its signed evidence, which has the files.
 * Waits where the service gives no more evidence in this minute, until `isStopped`.
 */
export const addSubmission = async (
  zip: Zip,
  submissionId: string,
  isStopped: () => boolean,
): Promise<void> => {
  const path = { submissionId };
  await zip.add(`${submissionId}/submission.json`, json(await api.get(PATH, { path })));
  const events: object[] = [];
  for await (const event of api.list(`${PATH}/events`, { path })) events.push(event);
  await zip.add(`${submissionId}/events.json`, json(events));
  const evidence = await whenLimited(
    () => api.get(`${PATH}/evidence`, { path, timeoutMs: LIMIT_MS }),
    isStopped,
  );
  await zip.add(`${submissionId}/evidence.zip`, evidence);
};

const whenLimited = async <T>(ask: () => Promise<T>, isStopped: () => boolean): Promise<T> => {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof IntakeError) || error.status !== TOO_MANY || isStopped()) throw error;
      const pause = error.retryAfterMs ?? PAUSE_MS;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
};
