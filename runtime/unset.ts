import type { Report } from './supervise.ts';

/** Says for whom `what` goes wrong since a setting which a workflow version names is not set. */
export const unset =
  (report: Report, what: string) =>
  (setting: string, submissionId: string): void =>
    report.warn(`${what}: the setting with the secret that signs is not set`, { setting, submissionId });
