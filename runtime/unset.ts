import type { Report } from '../kernel/report.ts';

/** Says for whom `what` goes wrong since a setting which a workflow version names is not set: operators must mend it. */
export const unset =
  (report: Report, what: string) =>
  (setting: string, submissionId: string): void =>
    report.error(`${what}: the setting with the secret that signs is not set, or is no key`, {
      setting,
      submissionId,
    });
