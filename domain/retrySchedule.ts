import { INVITATION_HOURS } from './invitation.ts';

/**
 * Milliseconds from each failed attempt to the next one: 30 s, 5 min, 30 min (webhooks-16). The default of
 * the setting WEBHOOK_RETRY_DELAYS, and how the other schedules begin.
 */
export const RETRY_DELAYS_MS: readonly number[] = [30_000, 300_000, 1_800_000];

const HOUR_MS = 3_600_000;

const UNITS = [
  [HOUR_MS, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** Delays of whole seconds as pages and documents name them: `30 seconds, 5 minutes and 30 minutes`. */
export const delaysInWords = (delaysMs: readonly number[]): string =>
  new Intl.ListFormat('en-GB').format(
    delaysMs.map((delay) => {
      const [unit, name] = UNITS.find(([ms]) => delay % ms === 0) ?? UNITS[2];
      return `${delay / unit} ${name}${delay === unit ? '' : 's'}`;
    }),
  );

/** The retry schedules that a webhook endpoint may have. */
export const retrySchedules = ['standard', 'extended'] as const;
export type RetrySchedule = (typeof retrySchedules)[number];

/**
 * The `extended` one, which goes on for three days (endpoints-12).
 */
export const EXTENDED_DELAYS_MS: readonly number[] = [
  ...RETRY_DELAYS_MS,
  ...[2, 5, 10, 12, 12, 12, 12, 6].map((hours) => hours * HOUR_MS),
];

/** How many hours the retries of the `extended` schedule last at most, and how many attempts it makes. */
export const EXTENDED = {
  attempts: EXTENDED_DELAYS_MS.length + 1,
  hours: Math.ceil(EXTENDED_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / HOUR_MS),
} as const;

/** The same for syncs: 30 s, 5 min, 30 min, then hourly for 24 h (sync-2). */
export const SYNC_DELAYS_MS: readonly number[] = [
  ...RETRY_DELAYS_MS,
  ...Array.from({ length: 24 }, () => HOUR_MS),
];

/**
 * The same for extractors: two quick tries, since somebody may wait for the result, then as for syncs. The
 * one way that a workflow's own server may be unavailable for an evening.
 */
export const EXTRACTOR_DELAYS_MS: readonly number[] = [1_000, 5_000, ...SYNC_DELAYS_MS];

/**
 * The same for mails of invitations: 30 s, 5 min, 30 min, then hourly for as long as the invitation can be
 * used (mails-3).
 */
export const MAIL_DELAYS_MS: readonly number[] = [
  ...RETRY_DELAYS_MS,
  ...Array.from({ length: INVITATION_HOURS }, () => HOUR_MS),
];

/**
 * When the next attempt is due (ISO 8601), counted from the failure before it; null when all retries are used
 * up and the delivery has failed. With no failed attempt yet, the first is due at `lastFailedAt` itself.
 */
export const nextAttemptAt = (
  failedAttempts: number,
  lastFailedAt: string,
  delaysMs: readonly number[],
): string | null => {
  const delay = failedAttempts === 0 ? 0 : delaysMs[failedAttempts - 1];
  return delay === undefined ? null : new Date(Date.parse(lastFailedAt) + delay).toISOString();
};
