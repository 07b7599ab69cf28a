import type { Delivery } from '../../schemas/webhooks.ts';

const TYPES = [
  'session.completed',
  'session.failed',
  'session.review_required',
  'submission.approved',
  'submission.rejected',
  'submission.cancelled',
  'submission.fraud_match_resolved',
  'submission.redacted',
  'batch.completed',
] as const satisfies readonly Delivery['eventType'][];

/** The types of webhooks, which have the same names in the receivers' programs. */
export const eventTypes: Readonly<Record<Delivery['eventType'], string>> = Object.fromEntries(
  TYPES.map((type) => [type, type]),
) as Record<(typeof TYPES)[number], string>;
