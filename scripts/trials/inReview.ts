import { setTimeout as sleep } from 'node:timers/promises';
import type { IntakeClient, SubmitOptions } from '../../client/index.ts';

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

/**
 * Sends a document to that workflow and gives its submission's identifier once it is in review. `more` goes
 * into the session.
 */
export const inReview = async (
  intake: IntakeClient,
  slug: string,
  more: SubmitOptions = {},
  members: object = { note: 'nothing to see' },
): Promise<string> => {
  const content = new TextEncoder().encode(JSON.stringify(members));
  const { sessionId, submissionId } = await intake.submit(
    slug,
    [{ content, type: 'application/json' }],
    more,
  );
  // More often than `wait`: a trial needs many of them.
  const job = () => intake.get('/api/v1/jobs/{sessionId}', { path: { sessionId } });
  while ((await job()).submissionStatus !== 'review') await sleep(20);
  return submissionId;
};
