/** The public business statuses (lifecycle-1). */
export const statuses = [
  'created',
  'processing',
  'capture_quality_blocked',
  'review',
  'approved',
  'synced',
  'rejected',
  'cancelled',
  'failed',
] as const;
export type Status = (typeof statuses)[number];

/** The session's lifecycle, as a job shows it (lifecycle-5). */
export const jobStates = [
  'pending',
  'queued',
  'processing',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const;
export type JobState = (typeof jobStates)[number];

/** From where to where a submission may go; everything else is refused (lifecycle-1). */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  created: ['processing', 'cancelled'],
  processing: ['capture_quality_blocked', 'review', 'approved', 'failed', 'cancelled'],
  capture_quality_blocked: ['processing', 'review', 'cancelled'],
  review: ['approved', 'rejected', 'cancelled'],
  approved: ['synced'],
  synced: [],
  rejected: [],
  cancelled: [],
  failed: ['processing', 'review', 'cancelled'],
};

/** The statuses from which one may go to `target`. */
export const allowedFrom = (target: Status): readonly Status[] =>
  statuses.filter((status) => transitions[status].includes(target));

/** In these a submission is not final: a person may still decide on it. */
export const undecided: readonly Status[] = allowedFrom('cancelled');

/** In these somebody, or the service, has still to do something with a submission. */
export const underWay: readonly Status[] = ['created', 'processing', 'review'];

/** In these processing ended without a result: a person may have it processed again, or type its values. */
export const unreadStatuses = ['failed', 'capture_quality_blocked'] as const satisfies readonly Status[];

/** A submission that has reached one of these counts as processed (lifecycle-22). */
export const processedStatuses: readonly Status[] = [
  'failed',
  'review',
  'approved',
  'synced',
  'capture_quality_blocked',
];
