import type { DomainProblemText } from './problemTypes.ts';

/**
 * The problems that broken rules of the domain are answered with; `errors` are the names of the DomainErrors.
 * `internal-error` has those that no request can cause. A test compares them with the domain's source.
 */
export const domainProblemTexts = {
  'not-found': {
    status: 404,
    detail: 'There is nothing of this name or identifier, or nothing that the caller may see.',
    means:
      'There is no such route, which `detail` then says; or nothing of this name or identifier, or nothing that the caller may see: both have the same answer. A session and its job are visible to the key that created them only, data of test mode to test keys only.',
    remedy: 'Check the address, the identifier and the key. A workflow must be assigned to the company.',
    errors: ['SubmissionNotFound', 'FraudMatchNotFound', 'WorkflowNotFound', 'WebhookDeliveryNotFound'],
  },
  'invitation-invalid': {
    status: 404,
    detail: 'There is no such invitation.',
    means: 'No invitation has this token: it is not complete, or the invitation was revoked.',
    remedy: 'Open the link from the invitation again, or ask for a new one.',
    errors: ['InvitationInvalid'],
  },
  'submission-not-in-review': {
    status: 409,
    detail: 'Only a submission in review can be decided.',
    means:
      'Only a submission that waits for a reviewer can be approved or rejected. It may have been decided already.',
    remedy:
      'Read the submission again: `currentStatus` is its status. To send a decision again safely, use an `Idempotency-Key`.',
    errors: ['SubmissionNotInReview'],
  },
  'submission-not-cancellable': {
    status: 409,
    detail: 'The submission can no longer be cancelled.',
    means: 'A submission can be cancelled until it is approved, synced, rejected or cancelled.',
    remedy:
      'Read the submission again: `currentStatus` is its status, `allowedFrom` has the statuses in which it can be cancelled.',
    errors: ['SubmissionNotCancellable'],
  },
  'session-ended': {
    status: 409,
    detail: 'The session was cancelled or has expired.',
    means: 'The session was cancelled, or was not submitted in time and has expired.',
    remedy: 'Open a new session and send the files again.',
    errors: ['SessionEnded'],
  },
  'session-submitted': {
    status: 409,
    detail: 'The session was submitted: its files are settled.',
    means:
      'The session was submitted already: its files are settled, and it has no upload addresses any more.',
    remedy: 'Follow its job. To send other files, open a new session.',
    errors: ['SessionAlreadySubmitted'],
  },
  'fraud-unresolved': {
    status: 409,
    detail: 'A fraud match that blocks must be resolved first.',
    means: 'The submission is blocked by fraud matches that are not resolved yet: `fraudMatches` lists them.',
    remedy:
      'Resolve each by `POST /api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve`, then approve.',
    errors: ['FraudUnresolved'],
  },
  'fraud-confirmed': {
    status: 409,
    detail: 'A fraud match that blocks has been confirmed.',
    means:
      'The submission is blocked by fraud matches that a reviewer has confirmed: `fraudMatches` lists them.',
    remedy:
      'Reject it. If a match was confirmed by mistake, dismiss it by `POST /api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve`.',
    errors: ['FraudConfirmed'],
  },
  'fraud-match-resolved': {
    status: 409,
    detail: 'The match was resolved otherwise, and the submission is final.',
    means:
      'The match has another resolution than the requested one, and the submission is final: approved, synced, rejected or cancelled.',
    remedy:
      'Read the submission’s fraud matches: a resolution can be replaced only until the submission is final.',
    errors: ['FraudMatchResolved'],
  },
  'invitation-consumed': {
    status: 409,
    detail: 'The invitation has been used.',
    means: 'The invitation was used: its user exists.',
    remedy: 'Log in with the password that was chosen then.',
    errors: ['InvitationConsumed'],
  },
  'invitation-expired': {
    status: 410,
    detail: 'The invitation has expired: ask for a new one.',
    means: 'Invitations live for 72 hours, and this one is older.',
    remedy: 'Ask for a new one.',
    errors: ['InvitationExpired'],
  },
  'delivery-gone': {
    status: 410,
    detail: 'What was sent is not kept any more, and can’t be sent again.',
    means: 'The bytes that were sent are kept for a limited time, and are gone.',
    remedy: 'Read the submission itself, or the events by `GET /api/v1/events`.',
    errors: ['WebhookDeliveryGone'],
  },
  'validation-failed': {
    status: 422,
    detail: 'The request breaks its rules: see `errors`.',
    means:
      'The body is JSON and breaks a rule: a member is missing, unknown or not valid, or uploaded files are not what the workflow takes.',
    remedy: 'Correct every fault that `errors` names; `pointer` is a JSON Pointer into the body.',
    errors: ['UploadsRefused', 'CorrectionsRefused', 'TooManyDeliveries'],
  },
  'rate-limited': {
    status: 429,
    detail: 'Too many requests: wait as long as `Retry-After` says.',
    means:
      'The key has sent more requests than it may, or too many attempts to authenticate came from one address.',
    remedy: 'Wait as many seconds as `Retry-After` says. `RateLimit` says how many requests remain.',
    retryable: true,
    errors: ['PatternsBusy'],
  },
  'internal-error': {
    status: 500,
    detail: 'Something went wrong on our side.',
    means: 'Something went wrong on our side, and is in our log under the `requestId`.',
    remedy: 'Try again later, with an `Idempotency-Key` for a POST. If it stays, tell us the `requestId`.',
    retryable: true,
    errors: [
      'SubmissionNotProcessing',
      'SubmissionNotProcessable',
      'SubmissionNotReprocessable',
      'SubmissionNotApproved',
      'SubmissionHasNoSync',
      'SubmissionRedacted',
      'ProcessingAttemptSuperseded',
      'SessionExists',
      'CompanyNotFound',
      'CompanyExists',
      'ApiKeyExists',
      'ApiKeyNotFound',
      'InvitationExists',
      'InvitationNotFound',
      'EmailTaken',
      'UserNotFound',
      'UserIsDisabled',
      'RoleNeedsCompany',
      'RoleTakesNoCompany',
      'KeyNeedsCompany',
      'KeyOutsideCompany',
      'BatchNotComplete',
    ],
  },
} as const satisfies Readonly<Record<string, DomainProblemText>>;
