import type { ProblemText } from './problemTypes.ts';

/** The problems of requests that reach no rule of the domain, and of the service itself. */
export const requestProblemTexts = {
  'malformed-request': {
    status: 400,
    detail: 'The request could not be understood.',
    means:
      'The request could not be read: the body is not JSON in UTF-8, a query parameter is not valid or is repeated, a cursor belongs to another list, a batchRef or a version in the path has the wrong form, or a header is not valid.',
    remedy:
      'Correct what `errors` names. A pointer that begins with `/query`, `/path` or `/headers` is outside the body.',
  },
  unauthorized: {
    status: 401,
    detail: 'Send a valid API key: `Authorization: Bearer aok_<64 lowercase hex characters>`.',
    means:
      'The request has no API key, or an unknown one; or, on routes for administrators, no valid session token.',
    remedy:
      'Send `Authorization: Bearer aok_…` with the key exactly as it was shown when it was created: `aok_` and 64 lower-case hexadecimal digits. `detail` says what was sent instead. Administrators log in with `POST /api/auth/sessions` and send the `ast_…` token of its answer.',
  },
  'login-failed': {
    status: 401,
    title: 'Log-in failed',
    detail: 'The e-mail or the password is wrong.',
    means:
      'No user has this e-mail and this password, or the user is disabled. The answer does not say which.',
    remedy: 'Check both, and wait between attempts: failures are counted by address.',
  },
  'key-revoked': {
    status: 403,
    detail: 'This API key has been revoked.',
    remedy: 'Use the key that replaced it, or ask the administrator of your company’s keys for a new one.',
  },
  'company-required': {
    status: 403,
    detail: 'This needs a key that belongs to a company.',
    remedy: 'Use a key of a company.',
  },
  'local-only': {
    status: 403,
    detail:
      'This is answered to requests from the same machine only, unless METRICS_TOKEN is set and sent as bearer token.',
    remedy:
      'Send the request from the same machine, without a proxy, or set METRICS_TOKEN and send it as bearer token.',
  },
  'super-admin-required': {
    status: 403,
    detail: 'Only a super_admin may do this.',
    remedy: 'Ask a super_admin.',
  },
  'origin-not-allowed': {
    status: 403,
    detail: 'Pages of this origin may not call: see the setting ALLOWED_ORIGINS.',
    remedy: 'Add the origin to ALLOWED_ORIGINS if the page is yours. Servers send no `Origin`.',
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
  'concurrent-change': {
    status: 409,
    detail: 'Others changed it at the same moment.',
    remedy: 'Read it again. If the request is still right, send it again.',
    retryable: true,
  },
  'precondition-failed': {
    status: 412,
    detail: 'It has changed since the revision that If-Match names: read it again.',
    remedy: 'Read it again, see what has changed, and decide with its new `ETag`.',
  },
  'content-too-large': {
    status: 413,
    detail: 'The request is larger than is accepted.',
    means: 'The body is larger than 256 KiB. Files are sent to the upload addresses of a session.',
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
      'Within the last 24 hours this API key sent the same `Idempotency-Key` to this path with another body.',
    remedy: 'Use a new key for a new request. To repeat a request, send the same bytes.',
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
    means: 'A store that the service needs does not answer, or does not accept writes.',
    remedy: 'Try again after `Retry-After` seconds; send a POST with an `Idempotency-Key`.',
    retryable: true,
  },
  'not-ready': {
    status: 503,
    detail: 'The service is not ready: see `checks`.',
    remedy: 'Send requests to another node, and check again after `Retry-After` seconds.',
    retryable: true,
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
