import { submissionIdOf } from '../../domain/submission/submission.ts';
import type { deliveryQueries } from '../../projections/deliveries.ts';
import type { submissionQueries } from '../../projections/submissions.ts';
import { sessionId } from '../../schemas/parameters.ts';
import { Job } from '../../schemas/sessions.ts';
import { type Route, route } from '../engine/route.ts';

export type JobPorts = Readonly<{
  /** What is sent of a submission. */
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
    access: 'sessions.use',
    parameters: { sessionId },
    answers: { 200: Job },
    headers: ['Retry-After'],
  })({
    find: async ({ caller: { keyId }, parameters }) => {
      const stored = await ports.answer('job', submissionIdOf(parameters.sessionId));
      return stored?.startsWith(`${keyId}\n`) ? readJob(stored, ports.deliveryStatus) : null;
    },
    run: async ({ found: { unfinished, body } }) => ({
      status: 200,
      headers: unfinished ? RETRY_AFTER : {},
      body,
    }),
  });

/** A stored job (`submissionAnswers`) as it is sent. */
const readJob = async (stored: string, statusOf: JobPorts['deliveryStatus']) => {
  const [, unfinished, eventId = '', job = ''] = stored.split('\n');
  const status = JSON.stringify(await statusOf(eventId || null));
  const body = Buffer.from(`${job},"webhookDeliveryStatus":${status}}`);
  return { unfinished: unfinished === 'true', body };
};
