import type { ProblemText } from './problemTypes.ts';

/** The problems of requests that come to no rule of the domain, and of the service itself. */
export const requestProblemTexts = {
  'malformed-request': {
    status: 400,
    detail: 'The request could not be understood.',
    means:
      'The request could not be read: the body is not JSON in UTF-8, a query parameter is not valid or stands twice, a cursor belongs to another list, a batchRef or a version in the path has the wrong form, or a header is not valid.',
    remedy:
      'Correct what `errors` names. A pointer that begins with `/query`, `/path` or `/headers` is outside the body.',
  },
  unauthorized: {
    status: 401,
    detail: 'Send a valid API key: `Authorization: Bearer aok_<64 lowercase hex characters>`.',
    means:
      'The request carries no key, or one that is not known here; or, where administrators call, no valid session token.',
    remedy:
      'Send `Authorization: Bearer aok_…` with a key exactly as it was shown when it was made: `aok_` and 64 hexadecimal digits in lower case. `detail` says what was there instead. Administrators log in by `POST /api/auth/sessions` and send the `ast_…` that it answers.',
  },
  'login-failed': {
    status: 401,
    title: 'Log-in failed',
    detail: 'The e-mail or the password is wrong.',
    means:
      'There is no user of this e-mail with this password, or the user is disabled. The answer does not say which.',
    remedy: 'Check both, and wait between attempts: they are counted by address.',
  },
  'key-revoked': {
    status: 403,
    detail: 'This API key has been revoked.',
    means: 'The key was valid once and has been revoked.',
    remedy: 'Use the key that replaced it, or ask whoever administers your company’s keys for a new one.',
  },
  'company-required': {
    status: 403,
    detail: 'This needs a key that belongs to a company.',
    means: 'The key belongs to no company, and this works on the data of one.',
    remedy: 'Use a key that was made for a company.',
  },
  'local-only': {
    status: 403,
    detail:
      'This is answered to requests from the same machine only, unless METRICS_TOKEN is set and sent as bearer token.',
    means: 'The operator’s figures are given to the machine itself, as long as no METRICS_TOKEN is set.',
    remedy:
      'Send the request from the same machine, without a proxy in between, or set METRICS_TOKEN and send it as bearer token.',
  },
  'super-admin-required': {
    status: 403,
    detail: 'Only a super_admin may do this.',
    means: 'The session token is valid, and its user is no super_admin.',
    remedy: 'Let a super_admin do it.',
  },
  'origin-not-allowed': {
    status: 403,
    detail: 'Pages of this origin may not call: see the setting ALLOWED_ORIGINS.',
    means: 'The request comes from a page of an origin that may not call this.',
    remedy: 'Add the origin to ALLOWED_ORIGINS, if the page is yours; servers send no `Origin`.',
  },
  'method-not-allowed': {
    status: 405,
    detail: 'This path does not take this method: see `Allow`.',
    means: 'The address exists, and does not take this method.',
    remedy: 'Use one of the methods that `Allow` names.',
  },
  'request-timeout': {
    status: 408,
    detail: 'The request did not arrive in time.',
    means: 'The request did not arrive in time: 10 seconds for its headers, 30 for all of it.',
    remedy: 'Send it again on a connection that is fast enough.',
    retryable: true,
  },
  'idempotency-key-in-use': {
    status: 409,
    detail: 'A request with this Idempotency-Key is being answered: send it again later.',
    means:
      'A request with this `Idempotency-Key` is being answered at this moment. A request counts as being answered for 15 seconds at most.',
    remedy: 'Send the same request again, with the same key, after the seconds that `Retry-After` names.',
    retryable: true,
  },
  'concurrent-change': {
    status: 409,
    detail: 'Others changed it at the same moment.',
    means: 'Others changed the same thing at the same moment.',
    remedy: 'Read it again, and if it is still right, send the request again.',
    retryable: true,
  },
  'precondition-failed': {
    status: 412,
    detail: 'It has changed since the revision that If-Match names: read it again.',
    means: 'The submission has changed since the revision that `If-Match` names.',
    remedy: 'Read it again, look at what has changed, and decide with its new `ETag`.',
  },
  'content-too-large': {
    status: 413,
    detail: 'The request is larger than is accepted.',
    means:
      'The body is larger than 256 KiB. Files are not sent here: they go to the upload addresses of a session.',
    remedy: 'Send less. Metadata takes at most 16 KiB.',
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
    means: 'The request has an `Expect` header other than `100-continue`.',
    remedy: 'Leave the header out.',
  },
  'idempotency-key-reused': {
    status: 422,
    detail: 'This Idempotency-Key was sent with another body: take a new one for a new request.',
    means:
      'This `Idempotency-Key` came within the last 24 hours with another body, to the same path and from the same API key.',
    remedy: 'Take a new key for a new request. To send one again, send the same bytes.',
  },
  'headers-too-large': {
    status: 431,
    detail: 'The request line and headers are larger than is accepted.',
    means: 'The request line and the headers take more than 16 KiB together.',
    remedy: 'Send fewer or shorter headers, or a shorter query.',
  },
  'upgrade-refused': {
    status: 501,
    title: 'Not implemented',
    detail: 'Tunnels and other protocols are not offered here.',
    means: 'The request asked for a tunnel or another protocol.',
    remedy: 'Speak HTTP/1.1 directly to the API.',
  },
  unavailable: {
    status: 503,
    detail: 'The service can’t do this at the moment.',
    means: 'A store that the service needs does not answer, or can’t be written to.',
    remedy: 'Try again after as many seconds as `Retry-After` says, with an `Idempotency-Key` for a POST.',
    retryable: true,
  },
  'not-ready': {
    status: 503,
    detail: 'The service is not ready: see `checks`.',
    means: 'The service runs and cannot serve requests: `checks` says which part has failed.',
    remedy: 'Send requests to another node, and ask again after as many seconds as `Retry-After` says.',
    retryable: true,
  },
} as const satisfies Readonly<Record<string, ProblemText>>;
