import type { Code } from '../engine/problems/problemTypes.ts';

/** What a kind of problem means, and what whoever meets it should do. */
type Advice = Readonly<{ means: string; remedy: string }>;

const say = (means: string, remedy: string): Advice => ({ means, remedy });

/** For each kind of problem what its page says beside its title and status. */
export const advice: Readonly<Record<Code, Advice>> = {
  'malformed-request': say(
    'The request could not be read: the body is not JSON in UTF-8, a query parameter is not valid or stands twice, a cursor belongs to another list, a batchRef or a version in the path has the wrong form, or a header is not valid.',
    'Mend what `errors` names. A pointer that begins with `/query`, `/path` or `/headers` is outside the body.',
  ),
  unauthorized: say(
    'The request carries no key, or one that is not known here; or, where administrators call, no session token that is still good.',
    'Send `Authorization: Bearer aok_…` with a key exactly as it was shown when it was made: `aok_` and 64 hexadecimal digits in lower case. `detail` says what was there instead. Administrators log in by `POST /api/auth/sessions` and send the `ast_…` that it answers.',
  ),
  'login-failed': say(
    'There is no user of this e-mail with this password, or the user has been shut out. Which of these it is is not told.',
    'Check both, and wait between attempts: they are counted by address.',
  ),
  'key-revoked': say(
    'The key was valid once and has been revoked.',
    'Use the key that replaced it, or ask whoever administers your company’s keys for a new one.',
  ),
  'company-required': say(
    'The key belongs to no company, and this works on the data of one.',
    'Use a key that was made for a company.',
  ),
  'local-only': say(
    'The operator’s figures are given to the machine itself, as long as no METRICS_TOKEN is set.',
    'Ask from the same machine without a proxy between, or set METRICS_TOKEN and send it as bearer token.',
  ),
  'super-admin-required': say(
    'The session token is valid, and its user is no super_admin.',
    'Let a super_admin do it.',
  ),
  'origin-not-allowed': say(
    'The request comes from a page of an origin that may not call this.',
    'Add the origin to ALLOWED_ORIGINS, if the page is yours; servers send no `Origin`.',
  ),
  'idempotency-key-in-use': say(
    'A request with this `Idempotency-Key` is being answered at this moment. No request is held to be for longer than 15 seconds.',
    'Send the same request again, with the same key, after the seconds that `Retry-After` names.',
  ),
  'idempotency-key-reused': say(
    'This `Idempotency-Key` came within the last 24 hours with another body, to the same path and from the same API key.',
    'Take a new key for a new request. To send one again, send the same bytes.',
  ),
  'not-found': say(
    'There is no such route, which `detail` then says; or nothing of this name or identifier, or nothing that the caller may see: these two are answered alike. Sessions and jobs are seen by the key that made them only; data of test mode by test keys only.',
    'Check the address, the identifier and the key. A workflow must be assigned to the company.',
  ),
  'invitation-invalid': say(
    'No invitation has this token: it is not complete, or the invitation was revoked.',
    'Open the link from the invitation again, or ask for a new one.',
  ),
  'method-not-allowed': say(
    'The address exists, and does not take this method.',
    'Use one of the methods that `Allow` names.',
  ),
  'request-timeout': say(
    'The request did not arrive in time: 10 seconds for its headers, 30 for all of it.',
    'Send it again on a connection that is fast enough.',
  ),
  'submission-not-in-review': say(
    'Only a submission that waits for a reviewer can be approved or rejected. Somebody may have decided it already.',
    'Read the submission again: `currentStatus` says how it stands. To send a decision again safely, use an `Idempotency-Key`.',
  ),
  'submission-not-cancellable': say(
    'A submission can be cancelled until it is approved, synced, rejected or cancelled.',
    'Read the submission again: `currentStatus` says how it stands, `allowedFrom` from where it can be cancelled.',
  ),
  'session-ended': say(
    'The session was cancelled, or was not submitted in time and has expired.',
    'Open a new session and send the files again.',
  ),
  'session-submitted': say(
    'The session was submitted already: its files are settled, and no addresses are given for them any more.',
    'Follow its job. To send other files, open a new session.',
  ),
  'invitation-consumed': say(
    'The invitation was used: its user exists.',
    'Log in with the password that was chosen then.',
  ),
  'invitation-expired': say('Invitations live for 72 hours, and this one is older.', 'Ask for a new one.'),
  'delivery-gone': say(
    'The bytes that were sent are kept for a time only, and are gone.',
    'Read the submission itself, or the events by `GET /api/v1/events`.',
  ),
  'fraud-unresolved': say(
    'The submission is blocked by fraud matches that nobody has judged yet: `fraudMatches` lists them.',
    'Resolve each by `POST /api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve`, then approve.',
  ),
  'fraud-confirmed': say(
    'The submission is blocked by fraud matches that a reviewer has confirmed: `fraudMatches` lists them.',
    'Reject it. If a match was confirmed by mistake, dismiss it by `POST /api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve`.',
  ),
  'fraud-match-resolved': say(
    'The match was resolved otherwise than is now asked, and the submission is final: approved, synced, rejected or cancelled.',
    'Read the submission’s fraud matches: a resolution can be replaced only until the submission is final.',
  ),
  'concurrent-change': say(
    'Others changed the same thing at the same moment.',
    'Read it again, and if it is still right, send the request again.',
  ),
  'precondition-failed': say(
    'The submission has changed since the revision that `If-Match` names.',
    'Read it again, look at what has changed, and decide with its new `ETag`.',
  ),
  'content-too-large': say(
    'The body is larger than 256 KiB. Files are not sent here: they go to the upload addresses of a session.',
    'Send less. Metadata takes at most 16 KiB.',
  ),
  'unsupported-media-type': say(
    'The body is not `application/json` in UTF-8, or is compressed.',
    'Send `Content-Type: application/json` and no `Content-Encoding`.',
  ),
  'expectation-failed': say(
    'The request has an `Expect` header other than `100-continue`.',
    'Leave the header out.',
  ),
  'validation-failed': say(
    'The body is JSON and breaks a rule: a member is missing, unknown or not valid, or uploaded files are not what the workflow takes.',
    'Mend every fault that `errors` names; `pointer` is a JSON Pointer into the body.',
  ),
  'headers-too-large': say(
    'The request line and the headers take more than 16 KiB together.',
    'Send fewer or shorter headers, or a shorter query.',
  ),
  'rate-limited': say(
    'The key has sent more requests than it may, or too many attempts to authenticate came from one address.',
    'Wait as many seconds as `Retry-After` says. `RateLimit` tells what is left before it comes to that.',
  ),
  'internal-error': say(
    'Something went wrong on our side, and is in our log under the `requestId`.',
    'Try again later, with an `Idempotency-Key` for a POST. If it stays, tell us the `requestId`.',
  ),
  'upgrade-refused': say(
    'The request asked for a tunnel or another protocol.',
    'Speak HTTP/1.1 directly to the API.',
  ),
  unavailable: say(
    'A store that the service needs does not answer, or can’t be written to.',
    'Try again after as many seconds as `Retry-After` says, with an `Idempotency-Key` for a POST.',
  ),
  'not-ready': say(
    'The service runs and is not fit for requests: `checks` says which part is not well.',
    'Send requests to another node, and ask again after as many seconds as `Retry-After` says.',
  ),
};
