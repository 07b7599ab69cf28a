import type { Report } from '../kernel/report.ts';
import { ExtractorUnavailable } from '../processing/extractor/unavailable.ts';
import { unset } from './unset.ts';

/**
 * Says of each attempt at processing that failed for a passing reason why, and when the next one is due (ISO 8601; null: it was given up). That an
 * extractor is away is expected: a line without a stack.
 */
export const delayed = (report: Report) => {
  const onUnset = unset(report, 'files can’t be read');
  return (submissionId: string, error: unknown, retryAt: string | null): void => {
    if (!(error instanceof ExtractorUnavailable)) {
      const next = retryAt === null ? 'was given up' : 'will be tried again';
      const facts = { submissionId, retryAt, err: error };
      report.warn(`processing failed for a passing reason and ${next}`, facts);
    } else if (error.setting !== null) {
      onUnset(error.setting, submissionId);
    } else {
      const next = retryAt === null ? 'is asked no more' : 'will be asked again';
      report.warn(`an extractor ${next}`, { submissionId, retryAt, reason: error.message });
    }
  };
};
