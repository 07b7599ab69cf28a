import type { Event, Recorded } from '../../domain/kernel.ts';
import type { SubmissionEvent } from '../../domain/submission/events.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDelivery.ts';

type Types<E extends Event> = Readonly<Record<E['type'], true>>;

const submission: Types<SubmissionEvent> = {
  SessionCreated: true,
  SessionSubmitted: true,
  SessionExpired: true,
  SubmissionProcessingStarted: true,
  SubmissionProcessingDelayed: true,
  SubmissionFingerprinted: true,
  SubmissionFraudChecked: true,
  SubmissionProcessed: true,
  SubmissionProcessingFailed: true,
  SubmissionResultDropped: true,
  SubmissionReprocessingRequested: true,
  SubmissionApproved: true,
  SubmissionRejected: true,
  SubmissionCancelled: true,
  SubmissionFraudMatchResolved: true,
  SubmissionSynced: true,
};

const delivery: Types<WebhookDeliveryEvent> = {
  WebhookRequested: true,
  WebhookAttempted: true,
  WebhookDelivered: true,
  WebhookFailed: true,
  WebhookRedeliveryRequested: true,
};

/** A submission's events, without those of types that this release does not know. */
export const submissionEvents = (events: readonly Recorded[]): readonly Recorded<SubmissionEvent>[] =>
  events.filter(({ type }) => Object.hasOwn(submission, type)) as readonly Recorded<SubmissionEvent>[];

/** Likewise those of a delivery. */
export const deliveryEvents = (events: readonly Recorded[]): readonly Recorded<WebhookDeliveryEvent>[] =>
  events.filter(({ type }) => Object.hasOwn(delivery, type)) as readonly Recorded<WebhookDeliveryEvent>[];
