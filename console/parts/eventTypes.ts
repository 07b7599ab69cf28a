import type { Delivery } from '../../schemas/webhooks.ts';

const TYPES: Readonly<Record<Delivery['eventType'], 0>> = {
  'session.completed': 0,
  'session.failed': 0,
  'session.review_required': 0,
  'submission.approved': 0,
  'submission.rejected': 0,
  'submission.cancelled': 0,
  'submission.fraud_match_resolved': 0,
  'submission.redacted': 0,
  'batch.completed': 0,
};

/** The types of webhooks, which have the same names in the receivers' programs. */
export const eventTypes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(TYPES).map((type) => [type, type]),
);
