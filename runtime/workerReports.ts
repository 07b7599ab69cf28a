import type { Report } from '../kernel/report.ts';
import { ExtractorUnavailable } from '../processing/extractor/unavailable.ts';

/**
 * Logs that `what` fails, for whom, since a setting that a workflow version names is not set: an operator
 * must mend it.
 */
export const reportUnset =
  (report: Report, what: string) =>
  (setting: string, submissionId: string): void =>
    report.error(`${what}: the setting with the secret that signs is not set, or is no key`, {
      setting,
      submissionId,
    });

/**
 * Logs why an attempt at processing failed for a passing reason, and when the next one is due (ISO 8601;
 * null: it was given up). An unavailable extractor is expected: a line without a stack.
 */
export const reportDelay = (report: Report) => {
  const onUnset = reportUnset(report, 'files can’t be read');
  return (submissionId: string, error: unknown, retryAt: string | null): void => {
    const next = retryAt === null ? 'was given up' : 'will be tried again';
    if (!(error instanceof ExtractorUnavailable)) {
      const facts = { submissionId, retryAt, err: error };
      report.warn(`processing failed for a passing reason and ${next}`, facts);
    } else if (error.setting !== null) {
      onUnset(error.setting, submissionId);
    } else {
      report.warn(`an extractor is unavailable and ${next}`, {
        submissionId,
        retryAt,
        reason: error.message,
      });
    }
  };
};

/** Logs why a mail could not be sent, and when the next attempt is due; its error has no address in it. */
export const reportMailFailure =
  (report: Report) =>
  ({ nextAttemptAt, ...facts }: Readonly<{ nextAttemptAt: string | null; error: string }>): void => {
    const next = nextAttemptAt === null ? 'is tried no more' : 'will be tried again';
    report.warn(`a mail could not be sent and ${next}`, { ...facts, nextAttemptAt });
  };
