import { submissionIdOf } from '../../domain/submission/submission.ts';
import type { deliveryQueries } from '../../projections/deliveries.ts';
import { isUnfinished, jobOf } from '../../projections/submissionAnswers.ts';
import type { submissionQueries } from '../../projections/submissions.ts';
import { sessionId } from '../../schemas/parameters.ts';
import { Job } from '../../schemas/sessions.ts';
import { type Route, route } from '../engine/route.ts';

export type JobPorts = Readonly<{
  /** The submission's document as the read models have it. */
  find: ReturnType<typeof submissionQueries>['find'];
  /** What was made of it to be sent. */
  answer: ReturnType<typeof submissionQueries>['answer'];
  /** How the newest webhook stands. */
  deliveryStatus: ReturnType<typeof deliveryQueries>['statusOf'];
}>;

/** When to poll an unfinished job again, in seconds. */
export const RETRY_AFTER = { 'Retry-After': '1' };

/** The route to poll for the outcome of a session. */
export const jobRoute = (ports: JobPorts): Route =>
  route({
    name: 'getJob',
    summary: 'Get the job of a session; visible to the key that created it',
    description: 'The answer is always a 200. It has `Retry-After` until processing has ended.',
    method: 'GET',
    path: '/api/v1/jobs/{sessionId}',
    access: 'company',
    parameters: { sessionId },
    answers: { 200: Job },
    headers: ['Retry-After'],
  })({
    find: async ({ caller: { keyId }, parameters }) => {
      const id = submissionIdOf(parameters.sessionId);
      const made = await ports.answer('job', id);
      if (made) return ownJob(made, keyId, ports.deliveryStatus);
      const found = await ports.find(id);
      if (found?.submission.routing.keyId !== keyId) return null;
      const body = jobOf(found, await ports.deliveryStatus(found.webhookEventId));
      return { unfinished: isUnfinished(found.submission), body };
    },
    run: async ({ found: { unfinished, body } }) => ({
      status: 200,
      headers: unfinished ? RETRY_AFTER : {},
      body,
    }),
  });

/** A stored job, null for another key. */
const ownJob = async (made: Buffer, caller: string, statusOf: JobPorts['deliveryStatus']) => {
  const [keyId, unfinished, eventId = '', job = ''] = made.toString().split('\n');
  if (keyId !== caller) return null;
  const status = JSON.stringify(await statusOf(eventId || null));
  const body = Buffer.from(`${job},"webhookDeliveryStatus":${status}}`);
  return { unfinished: unfinished === 'true', body };
};
