import type { ExtractedData } from './api.ts';
import { type Calls, callsOf } from './calls.ts';
import { type EventsOptions, events, type FeedEvent } from './events.ts';
import type { FileToSend } from './files.ts';
import type { JobOf } from './jobOf.ts';
import { platform as ownPlatform, type Platform } from './platform.ts';
import { type ClientOptions, createSend } from './request.ts';
import { limitsOf } from './retry.ts';
import { createSubmit, type SubmitOptions } from './submit.ts';
import { createWait, type WaitOptions } from './wait.ts';

/** The API of one service. Every call may throw an IntakeError, and the reason of its `signal`. */
export type IntakeClient = Calls &
  Readonly<{
    /** Sends files to a workflow: opens a session, uploads, submits. Gives the job, which is queued then. */
    submit<Data extends object = ExtractedData>(
      workflow: string,
      files: readonly FileToSend[],
      options?: SubmitOptions,
    ): Promise<JobOf<Data>>;
    /** The job of a session once it is processed: completed, failed, cancelled or expired. */
    wait<Data extends object = ExtractedData>(sessionId: string, options?: WaitOptions): Promise<JobOf<Data>>;
    /** The event feed: what has happened since `cursor`, and what happens from then on. */
    events(options?: EventsOptions): AsyncGenerator<FeedEvent, void>;
  }>;

/** A client of the service at `url`. `surroundings` are what it takes from its own otherwise, for tests. */
export const createClient = (options: ClientOptions, surroundings: Partial<Platform> = {}): IntakeClient => {
  const platform = { ...ownPlatform, ...(options.fetch && { fetch: options.fetch }), ...surroundings };
  const send = createSend(options, platform);
  const limits = limitsOf(options);
  return {
    ...callsOf(send),
    submit: createSubmit(send, platform, limits),
    wait: createWait(send, platform),
    events: (given) => events(send, { ...platform, ...limits }, given),
  };
};
