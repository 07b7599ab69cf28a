import type { DomainProblemText } from './problemTypes.ts';

/**
 * The problems that DomainErrors are answered with; `errors` are their names. One that is not listed is an
 * `internal-error`: a test lists those that no request can cause.
 */
export const domainProblemTexts = {
  'not-found': {
    status: 404,
    detail: 'There is nothing of this name or identifier, or nothing that the caller may see.',
    means:
      'The route does not exist, as `detail` then says; or nothing has this name or identifier; or the caller has no access to it. The last two have the same answer. A session and its job are visible only to the key that created them, test data only to test keys.',
    remedy: 'Check the address, the identifier and the key. A workflow must be assigned to the company.',
    errors: ['SubmissionNotFound', 'FraudMatchNotFound', 'WorkflowNotFound', 'WebhookDeliveryNotFound'],
  },
  'invitation-invalid': {
    status: 404,
    detail: 'There is no such invitation.',
    means: 'No invitation has this token: the token is incomplete, or the invitation was revoked.',
    remedy: 'Open the link from the invitation again, or ask for a new one.',
    errors: ['InvitationInvalid'],
  },
  'submission-not-in-review': {
    status: 409,
    detail: 'Only a submission in review can be decided.',
    means: 'Only a submission in review can be approved or rejected. This one may have been decided already.',
    remedy:
      'Read the submission again: `currentStatus` is its status. To repeat a decision safely, send an `Idempotency-Key`.',
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
    remedy: 'Open a new session and upload the files again.',
    errors: ['SessionEnded'],
  },
  'session-submitted': {
    status: 409,
    detail: 'The session was submitted: its files are settled.',
    remedy: 'Poll its job. To upload other files, open a new session.',
    errors: ['SessionAlreadySubmitted'],
  },
  'fraud-unresolved': {
    status: 409,
    detail: 'A fraud match that blocks must be resolved first.',
    means: 'Unresolved fraud matches block the submission: `fraudMatches` lists them.',
    remedy:
      'Resolve each by `POST /api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve`, then approve.',
    errors: ['FraudUnresolved'],
  },
  'fraud-confirmed': {
    status: 409,
    detail: 'A fraud match that blocks has been confirmed.',
    means: 'Fraud matches that a reviewer has confirmed block the submission: `fraudMatches` lists them.',
    remedy:
      'Reject it. If a match was confirmed by mistake, dismiss it by `POST /api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve`.',
    errors: ['FraudConfirmed'],
  },
  'fraud-match-resolved': {
    status: 409,
    detail: 'The match was resolved otherwise, and the submission is final.',
    means:
      'The match has another resolution, and the submission is final: approved, synced, rejected or cancelled.',
    remedy:
      'Read the submission’s fraud matches: a resolution can be replaced only until the submission is final.',
    errors: ['FraudMatchResolved'],
  },
  'invitation-consumed': {
    status: 409,
    detail: 'The invitation has been used.',
    remedy: 'Log in with the password that was set then.',
    errors: ['InvitationConsumed'],
  },
  'invitation-expired': {
    status: 410,
    detail: 'The invitation has expired: ask for a new one.',
    means: 'An invitation is valid for 72 hours.',
    remedy: 'Ask for a new one.',
    errors: ['InvitationExpired'],
  },
  'delivery-gone': {
    status: 410,
    detail: 'What was sent is not kept any more, and can’t be sent again.',
    remedy: 'Read the submission itself, or the events by `GET /api/v1/events`.',
    errors: ['WebhookDeliveryGone'],
  },
  'validation-failed': {
    status: 422,
    detail: 'The request breaks its rules: see `errors`.',
    means:
      'The body is JSON and breaks a rule: a member is missing, unknown or not valid, or the workflow does not accept an uploaded file.',
    remedy: 'Correct every fault that `errors` names; `pointer` is a JSON Pointer into the body.',
    errors: ['UploadsRefused', 'CorrectionsRefused', 'TooManyDeliveries'],
  },
  'rate-limited': {
    status: 429,
    detail: 'Too many requests: wait as long as `Retry-After` says.',
    means:
      'The key has exceeded its request rate, or one address has made too many failed attempts to authenticate.',
    remedy: 'Wait as many seconds as `Retry-After` says. `RateLimit` says how many requests remain.',
    retryable: true,
    errors: ['PatternsBusy'],
  },
} as const satisfies Readonly<Record<string, DomainProblemText>>;
