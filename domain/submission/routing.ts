import {
  closed,
  Mode,
  meaning,
  nullable,
  type Of,
  type OfMembers,
  oneOf,
  Type,
  text,
  whole,
} from '../../kernel/schema.ts';
import { statuses } from './transitions.ts';

/** What every submission and delivery event carries, so that no reader needs another event to place it. */
export const routing = {
  submissionId: Type.String(),
  companyId: Type.String(),
  mode: Mode,
  keyId: text('the key that opened the session'),
  workflow: closed({ slug: Type.String(), version: Type.Integer() }),
  batchId: nullable(text('an HMAC of company, mode and batchRef; null outside a batch')),
};
export type Routing = OfMembers<typeof routing>;

/** A submission's status (lifecycle-1). */
export const Status = oneOf(statuses);
export type Status = Of<typeof Status>;

/**
 * A change of status. `firstProcessed` is true the first time a submission counts as processed
 * (lifecycle-22), `processed` from then on: a cancellation tells by it whether the session leaves its batch.
 */
export const change = {
  from: meaning(nullable(Status), 'the status before; null for a new one'),
  to: meaning(Status, 'the status from now on'),
  firstProcessed: Type.Boolean({ description: 'whether it counts as processed by this for the first time' }),
  processed: Type.Boolean({ description: 'whether it has ever counted as processed, this included' }),
};
export type StatusChange = OfMembers<typeof change>;

/** What an event that changes the status carries. */
export const transition = { ...routing, ...change };

/** An attempt of a round of processing. */
export const attempt = {
  round: whole('the round of processing, from 1'),
  attempt: whole('the attempt of the round, from 1'),
};
export type AttemptReference = OfMembers<typeof attempt>;
