import type { Code } from './problems.ts';

/**
 * The problem that each broken rule is answered with. `internal-error` for those that no request can break: identifiers are made
 * here, machines and operators command the rest. A test holds this table against the domain's source.
 */
export const domainProblems: ReadonlyMap<string, Code> = new Map<string, Code>([
  ['SubmissionNotFound', 'not-found'],
  ['FraudMatchNotFound', 'not-found'],
  ['WorkflowNotFound', 'not-found'],
  ['WebhookDeliveryNotFound', 'not-found'],
  ['SubmissionNotInReview', 'submission-not-in-review'],
  ['SubmissionNotCancellable', 'submission-not-cancellable'],
  ['SessionEnded', 'session-ended'],
  ['FraudUnresolved', 'fraud-unresolved'],
  ['FraudConfirmed', 'fraud-confirmed'],
  ['FraudMatchResolved', 'fraud-match-resolved'],
  ['UploadsRefused', 'validation-failed'],
  ['CorrectionsRefused', 'validation-failed'],
  ['InvitationInvalid', 'invitation-invalid'],
  ['InvitationConsumed', 'invitation-consumed'],
  ['InvitationExpired', 'invitation-expired'],
  ['SubmissionNotProcessing', 'internal-error'],
  ['SubmissionNotProcessable', 'internal-error'],
  ['SubmissionNotReprocessable', 'internal-error'],
  ['SubmissionNotApproved', 'internal-error'],
  ['ProcessingAttemptSuperseded', 'internal-error'],
  ['SessionExists', 'internal-error'],
  ['CompanyNotFound', 'internal-error'],
  ['CompanyExists', 'internal-error'],
  ['ApiKeyExists', 'internal-error'],
  ['ApiKeyNotFound', 'internal-error'],
  ['InvitationExists', 'internal-error'],
  ['InvitationNotFound', 'internal-error'],
  ['EmailTaken', 'internal-error'],
  ['UserNotFound', 'internal-error'],
  ['UserIsDisabled', 'internal-error'],
  ['RoleNeedsCompany', 'internal-error'],
  ['RoleTakesNoCompany', 'internal-error'],
  ['KeyNeedsCompany', 'internal-error'],
  ['KeyOutsideCompany', 'internal-error'],
  ['BatchNotComplete', 'internal-error'],
]);
