import { INVITATION_HOURS } from '../../../domain/invitation.ts';
import type { DomainProblemText } from './problemText.ts';

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
    errors: [
      'SubmissionNotFound',
      'FraudMatchNotFound',
      'WorkflowNotFound',
      'WebhookDeliveryNotFound',
      'WebhookEndpointNotFound',
    ],
  },
  'invitation-invalid': {
    status: 404,
    detail: 'There is no such invitation.',
    means: 'No invitation has this token: the token is incomplete, or the invitation was revoked.',
    remedy: 'Open the link from the invitation again, or ask for a new one.',
    errors: ['InvitationInvalid'],
  },
  'password-login-off': {
    status: 403,
    title: 'Password log-in is off',
    detail: 'People log in by the identity provider here.',
    means:
      'The setting PASSWORD_LOGIN is `off`: only super_admins log in with a password, or set one, and those who log in by the identity provider do not either. The answer to a log-in does not say whether the password is right.',
    remedy: 'Log in by the identity provider. If you are a super_admin, check the e-mail and the password.',
    errors: ['PasswordLogInOff'],
  },
  'submission-not-in-review': {
    status: 409,
    detail: 'Only a submission in review can be decided.',
    means: 'Only a submission in review can be approved or rejected. This one may have been decided already.',
    remedy:
      'Read the submission again: `currentStatus` is its status. To repeat a decision safely, send an `Idempotency-Key`.',
    errors: ['SubmissionNotInReview'],
  },
  'second-person-required': {
    status: 409,
    detail: 'You have made the first of two decisions: somebody else must make the second.',
    means:
      'The workflow asks for two different people, or API keys, to decide this, and the first decision is the caller’s own. A key counts as the person who created it.',
    remedy:
      'Leave the submission to somebody else. To withdraw the first decision, make another one, such as a rejection.',
    errors: ['SecondPersonRequired'],
  },
  'submission-not-cancellable': {
    status: 409,
    detail: 'The submission can no longer be cancelled.',
    means: 'A submission can be cancelled until it is approved, synced, rejected or cancelled.',
    remedy:
      'Read the submission again: `currentStatus` is its status, `allowedFrom` has the statuses in which it can be cancelled.',
    errors: ['SubmissionNotCancellable'],
  },
  'submission-not-reprocessable': {
    status: 409,
    detail: 'Only a failed or blocked submission can be processed again.',
    means:
      'A submission can be processed again when it is failed or capture_quality_blocked. This one may be processed already.',
    remedy: 'Read the submission again: `currentStatus` is its status.',
    errors: ['SubmissionNotReprocessable'],
  },
  'submission-not-enterable': {
    status: 409,
    detail: 'The values of only a failed or blocked submission can be typed.',
    means:
      'A submission goes to review with empty fields when it is failed or capture_quality_blocked. One that is in review takes corrections with its approval.',
    remedy: 'Read the submission again: `currentStatus` is its status.',
    errors: ['SubmissionNotEnterable'],
  },
  'submission-redacted': {
    status: 409,
    detail: 'The submission is redacted, or about to be.',
    means:
      'What is private of the submission was removed, or is being removed: nothing is left to decide, to send or to keep.',
    remedy: 'Read the submission: `redaction` says how far it is. There is no way back.',
    errors: ['SubmissionRedacted'],
  },
  'legal-hold': {
    status: 409,
    detail: 'A legal hold was placed on the submission: it must be lifted first.',
    means: 'The submission must be kept: `detail` says since when, and who says so.',
    remedy: 'Ask who placed the hold. `DELETE /api/v1/submissions/{submissionId}/legal-hold` lifts it.',
    errors: ['LegalHold'],
  },
  'redaction-not-done': {
    status: 409,
    detail: 'The submission is not redacted.',
    means:
      'A redaction is certified once it is done, and as long as nothing of what it destroyed has come back: `detail` says what is missing.',
    remedy:
      'Read the submission: `redaction` is `done` once it is. What came back with a restored copy goes at the next start, or by `intake restore-check`.',
    errors: ['RedactionNotDone'],
  },
  'evaluation-ended': {
    status: 409,
    detail: 'The evaluation has ended.',
    means: 'Only an evaluation that is running or paused is paused, resumed or cancelled.',
    remedy: 'Read it: `report` has what was read. Request another one.',
    errors: ['EvaluationEnded'],
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
    means: `An invitation is valid for ${INVITATION_HOURS} hours.`,
    remedy: 'Ask for a new one.',
    errors: ['InvitationExpired'],
  },
  'version-taken': {
    status: 409,
    detail: 'Another version was published meanwhile.',
    means: 'The definition was to become a version that is not the next one: somebody else has published.',
    remedy: 'Read the newest version, see what it changed, and send the request with the next number.',
    errors: ['WorkflowVersionTaken'],
  },
  'publish-gate-closed': {
    status: 409,
    detail: 'The newest version has a gate, which the definition does not pass.',
    means:
      'The newest version asks that the next one is tried on approved submissions first: `detail` says what is missing, or how many would be wrong.',
    remedy:
      'Evaluate the definition (`POST /api/v1/evaluations`), read the report, and publish with `evaluationId`. To publish it all the same, say why in `force`.',
    errors: ['PublishGateClosed'],
  },
  'key-not-active': {
    status: 409,
    detail: 'The key was revoked, or has been rotated before.',
    means: 'Only a key that is neither revoked nor rotated can be rotated.',
    remedy: 'Read `GET /api/v1/keys`: `replacedBy` names the key that replaced it. Rotate that one.',
    errors: ['ApiKeyIsRevoked', 'ApiKeyIsRotated'],
  },
  'secret-shown-once': {
    status: 409,
    detail: 'This request was answered with a secret, which is shown once and not kept.',
    means:
      'A request with this `Idempotency-Key` has made a key, an invitation, a webhook endpoint or a secret of one. Its answer had a secret, which is not stored, so it can’t be given again. Nothing more was made.',
    remedy:
      'If the answer was lost, revoke what `detail` names (of an endpoint rotate the secret), and send the request again with a new `Idempotency-Key`.',
    errors: ['ApiKeyExists', 'WebhookEndpointExists', 'WebhookEndpointSecretShown'],
  },
  'too-many-endpoints': {
    status: 409,
    detail: 'There may be no more webhook endpoints: delete one first.',
    means: 'A company has 16 webhook endpoints at most, for live and for test data each.',
    remedy: 'Delete an endpoint, or give an existing one more event types.',
    errors: ['TooManyWebhookEndpoints'],
  },
  'email-taken': {
    status: 409,
    detail: 'There is a user of this e-mail already.',
    remedy:
      'Change the role of that user, or reset the password: an e-mail has one user. A user of another company is changed by a super_admin.',
    errors: ['EmailTaken'],
  },
  'user-disabled': {
    status: 409,
    detail: 'The user is disabled.',
    remedy: 'Enable the user first.',
    errors: ['UserIsDisabled'],
  },
  'person-not-disabled': {
    status: 409,
    detail: 'Only a disabled person can be redacted.',
    means:
      'A redaction takes the name and the e-mail of a person for ever, so the person must be out first. Nobody can disable the last administrator.',
    remedy: 'Disable the person, then try again.',
    errors: ['UserNotDisabled'],
  },
  'person-redacted': {
    status: 409,
    detail: 'The person is redacted: nothing is left to change.',
    remedy: 'Invite the e-mail: it becomes another person.',
    errors: ['UserRedacted'],
  },
  'invitation-open': {
    status: 409,
    detail: 'The invitation can still be used.',
    means: 'Only an invitation that was used or revoked, or has expired, can be redacted.',
    remedy: 'Revoke the invitation, then try again.',
    errors: ['InvitationOpen'],
  },
  'no-password': {
    status: 409,
    detail: 'You have no password that could be changed: you log in by the identity provider.',
    remedy: 'Go on logging in by the identity provider. For a password ask an administrator for a reset.',
    errors: ['NoPassword'],
  },
  'last-administrator': {
    status: 409,
    detail: 'There must be another administrator first.',
    means:
      'A company keeps one org_admin, and the platform one super_admin, who is not disabled: the last one can’t be disabled, or get another role.',
    remedy: 'Invite another administrator, or make somebody one, then try again.',
    errors: ['LastAdministrator'],
  },
  'own-role': {
    status: 409,
    detail: 'Nobody changes their own role.',
    remedy: 'Ask another administrator to change it.',
    errors: ['OwnRole'],
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
    errors: [
      'UploadsRefused',
      'CorrectionsRefused',
      'ValuesMissing',
      'PostponedWrongly',
      'AssigneeRefused',
      'TooManyDeliveries',
      'RoleKeepsCompany',
      'PasswordRefused',
    ],
  },
  'rate-limited': {
    status: 429,
    detail: 'Too many requests: wait as long as `Retry-After` says.',
    means:
      'The key or the person has sent too many requests, the company too many invitations, or the address too many failed attempts to authenticate.',
    remedy: 'Wait as many seconds as `Retry-After` says. `RateLimit` says how many requests remain.',
    retryable: true,
    errors: ['PatternsBusy', 'PagesBusy'],
  },
} as const satisfies Readonly<Record<string, DomainProblemText>>;
