import type { ProblemText } from './problemText.ts';

/** The problems of requests that are admitted and reach no rule of the domain, and of the service itself. */
export const requestProblemTexts = {
  'malformed-request': {
    status: 400,
    detail: 'The request could not be understood.',
    means:
      'The request could not be read: the body is not JSON in UTF-8, a query parameter is not valid or is repeated, a cursor belongs to another list, a batchRef or a version in the path has the wrong form, or a header is not valid.',
    remedy:
      'Correct what `errors` names. A pointer that begins with `/query`, `/path` or `/headers` is outside the body.',
  },
  'method-not-allowed': {
    status: 405,
    detail: 'This path does not take this method: see `Allow`.',
    remedy: 'Use a method that `Allow` lists.',
  },
  'request-timeout': {
    status: 408,
    detail: 'The request did not arrive in time.',
    means: 'The request did not arrive in time: 10 seconds for its headers, 30 for all of it.',
    remedy: 'Send it again on a faster connection.',
    retryable: true,
  },
  'idempotency-key-in-use': {
    status: 409,
    detail: 'A request with this Idempotency-Key is being answered: send it again later.',
    means: 'Another request with this `Idempotency-Key` is being answered, which takes 15 seconds at most.',
    remedy: 'Send the same request again, with the same key, after `Retry-After` seconds.',
    retryable: true,
  },
  'evidence-key-missing': {
    status: 409,
    detail: 'The service has no key that signs evidence: EVIDENCE_KEY is not set.',
    means:
      'Evidence is signed with a key of the service, which has none: all its stores are engines, and the setting EVIDENCE_KEY is not set.',
    remedy: 'Ask the operator to set EVIDENCE_KEY.',
  },
  'evidence-refused': {
    status: 409,
    detail: 'The evidence of this submission can’t be exported.',
    means:
      'The events of the submission can’t be relied on, or are more than a package may hold: `detail` says which event, and why. Nothing was exported.',
    remedy: 'Tell the operator, who keeps the log and its backups as they are.',
  },
  'concurrent-change': {
    status: 409,
    detail: 'Others changed it at the same moment.',
    remedy: 'Read it again. If the request is still right, send it again.',
    retryable: true,
  },
  claimed: {
    status: 409,
    detail: 'Somebody else has claimed the submission.',
    means: 'Another person has the submission open: `claim` says who, and until when unless that is renewed.',
    remedy:
      'Take another one, by `POST /api/v1/review-queue/next`. A claim that is not renewed ends after two minutes.',
  },
  'task-under-way': {
    status: 409,
    detail: 'A rebuild or a retry of this read model is to be done already.',
    means: 'A task that has not ended is to rebuild one of these read models, or to retry its documents.',
    remedy: 'Wait for the task that `detail` names, or cancel it.',
  },
  'task-ended': {
    status: 409,
    detail: 'The task has ended: it can’t be cancelled.',
    remedy: 'Read the task: `state` says how it ended.',
  },
  'precondition-failed': {
    status: 412,
    detail: 'It has changed since the revision that If-Match names: read it again.',
    remedy: 'Read it again, see what has changed, and decide with its new `ETag`.',
  },
  'content-too-large': {
    status: 413,
    detail: 'The request is larger than is accepted.',
    means:
      'The body is larger than 256 KiB, or than the operation says. Files are sent to the upload addresses of a session.',
    remedy: 'Send a smaller body. Metadata is limited to 16 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    detail: 'Send JSON, uncompressed, as application/json.',
    means: 'The body is not `application/json` in UTF-8, or is compressed.',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  'expectation-failed': {
    status: 417,
    detail: 'Only `Expect: 100-continue` is understood.',
    remedy: 'Omit the header.',
  },
  'idempotency-key-reused': {
    status: 422,
    detail: 'This Idempotency-Key was sent with another body: take a new one for a new request.',
    means:
      'Within the last 24 hours the same API key, or person, sent this `Idempotency-Key` to this path with another body.',
    remedy: 'Use a new key for a new request. To repeat a request, send the same bytes.',
  },
  'page-not-drawable': {
    status: 422,
    detail: 'This file can’t be shown.',
    means:
      'The file is damaged, protected, too large or of a format that is not shown, or its page takes more time or memory to draw than is given: `detail` says which.',
    remedy: 'Download the file by its `downloadUrl`, which is given as it was uploaded.',
  },
  'headers-too-large': {
    status: 431,
    detail: 'The request line and headers are larger than is accepted.',
    means: 'The request line and the headers are larger than 16 KiB together.',
    remedy: 'Send fewer or shorter headers, or a shorter query.',
  },
  'internal-error': {
    status: 500,
    detail: 'Something went wrong on our side.',
    means: 'An error of the service, which is in its log under the `requestId`.',
    remedy: 'Try again later; send a POST with an `Idempotency-Key`. If it persists, report the `requestId`.',
    retryable: true,
  },
  'upgrade-refused': {
    status: 501,
    title: 'Not implemented',
    detail: 'Tunnels and other protocols are not offered here.',
    remedy: 'Send HTTP/1.1 directly to the API.',
  },
  unavailable: {
    status: 503,
    detail: 'The service can’t do this at the moment.',
    means:
      'A store that the service needs does not answer, or does not accept writes; or all that reads documents on trial is in use.',
    remedy: 'Try again after `Retry-After` seconds; send a POST with an `Idempotency-Key`.',
    retryable: true,
  },
  'identity-provider-unavailable': {
    status: 503,
    detail: 'The identity provider does not answer as it should: log in again later.',
    means:
      'The identity provider can’t be reached, or refuses this service: its client or secret may be wrong. The log has the reason under the `requestId`.',
    remedy: 'Begin the log-in again after `Retry-After` seconds. If it persists, report the `requestId`.',
    retryable: true,
  },
  'not-ready': {
    status: 503,
    detail: 'The service is not ready: see `checks`.',
    remedy: 'Send requests to another node, and check again after `Retry-After` seconds.',
    retryable: true,
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
