import { setTimeout as sleep } from 'node:timers/promises';
import type { Integration, Job, Session } from '../demo/integration.ts';

/** The definition of a workflow whose documents are JSON, and wait for a person. */
export const reviewed = (slug: string) => ({
  slug,
  name: 'Waits for a person',
  upload: {
    ...{ minFiles: 1, maxFiles: 1, maxFileSizeMb: 1 },
    ...{ acceptedFormats: ['application/json'], fileLabels: ['data'] },
  },
  outputSchema: [{ name: 'note', required: false, type: 'string' }],
  processing: { extractor: 'json', review: 'always' },
});

const CONTENT = JSON.stringify({ note: 'nothing to see' });

/**
 * Sends a document to that workflow and gives its submission's identifier once it is in review. `more` goes
 * into the session.
 */
export const inReview = async (
  { get, post }: Integration,
  slug: string,
  more: object = {},
): Promise<string> => {
  const files = [{ mimeType: 'application/json', fileSize: CONTENT.length }];
  const session = await post<Session>(`/workflows/${slug}/sessions`, { files, ...more });
  for (const { method, url, headers } of session.uploads)
    await fetch(url, { method, headers: { ...headers }, body: CONTENT });
  await post(`/workflows/${slug}/sessions/${session.sessionId}/submit`);
  while ((await get<Job>(`/jobs/${session.sessionId}`)).submissionStatus !== 'review') await sleep(20);
  return session.submissionId;
};
