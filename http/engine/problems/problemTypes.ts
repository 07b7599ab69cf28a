/** What the kinds of refusal are called: each `code` has a page at `/problems/<code>`. `retryable`: the same request may succeed later. */
type Kind = Readonly<{ status: number; title: string; detail: string; retryable: boolean }>;

const kind = (status: number, title: string, detail: string, retryable = false): Kind => ({
  status,
  title,
  detail,
  retryable,
});

/** Every kind of problem by its code, with the detail that is given when there is nothing closer to say. */
export const problems = {
  'malformed-request': kind(400, 'Malformed request', 'The request could not be understood.'),
  unauthorized: kind(
    401,
    'Unauthorized',
    'Send a valid API key: `Authorization: Bearer aok_<64 lowercase hex characters>`.',
  ),
  'login-failed': kind(401, 'Log-in failed', 'The e-mail or the password is wrong.'),
  'key-revoked': kind(403, 'Key revoked', 'This API key has been revoked.'),
  'company-required': kind(403, 'Company required', 'This needs a key that belongs to a company.'),
  'local-only': kind(
    403,
    'Local only',
    'This is answered to requests from the same machine only, unless METRICS_TOKEN is set and sent as bearer token.',
  ),
  'super-admin-required': kind(403, 'Super admin required', 'Only a super_admin may do this.'),
  'origin-not-allowed': kind(
    403,
    'Origin not allowed',
    'Pages of this origin may not call: see the setting ALLOWED_ORIGINS.',
  ),
  'not-found': kind(
    404,
    'Not found',
    'There is nothing of this name or identifier, or nothing that the caller may see.',
  ),
  'invitation-invalid': kind(404, 'Invitation invalid', 'There is no such invitation.'),
  'method-not-allowed': kind(405, 'Method not allowed', 'This path does not take this method: see `Allow`.'),
  'request-timeout': kind(408, 'Request timeout', 'The request did not arrive in time.', true),
  'submission-not-in-review': kind(
    409,
    'Submission not in review',
    'Only a submission in review can be decided.',
  ),
  'submission-not-cancellable': kind(
    409,
    'Submission not cancellable',
    'The submission can no longer be cancelled.',
  ),
  'session-ended': kind(409, 'Session ended', 'The session was cancelled or has expired.'),
  'session-submitted': kind(409, 'Session submitted', 'The session was submitted: its files are settled.'),
  'fraud-unresolved': kind(409, 'Fraud unresolved', 'A fraud match that blocks must be resolved first.'),
  'fraud-confirmed': kind(409, 'Fraud confirmed', 'A fraud match that blocks has been confirmed.'),
  'fraud-match-resolved': kind(
    409,
    'Fraud match resolved',
    'The match was resolved otherwise, and the submission is final.',
  ),
  'invitation-consumed': kind(409, 'Invitation consumed', 'The invitation has been used.'),
  'idempotency-key-in-use': kind(
    409,
    'Idempotency key in use',
    'A request with this Idempotency-Key is being answered: send it again later.',
    true,
  ),
  'concurrent-change': kind(409, 'Concurrent change', 'Others changed it at the same moment.', true),
  'invitation-expired': kind(410, 'Invitation expired', 'The invitation has expired: ask for a new one.'),
  'delivery-gone': kind(410, 'Delivery gone', 'What was sent is not kept any more, and can’t be sent again.'),
  'precondition-failed': kind(
    412,
    'Precondition failed',
    'It has changed since the revision that If-Match names: read it again.',
  ),
  'content-too-large': kind(413, 'Content too large', 'The request is larger than is accepted.'),
  'unsupported-media-type': kind(
    415,
    'Unsupported media type',
    'Send JSON, uncompressed, as application/json.',
  ),
  'expectation-failed': kind(417, 'Expectation failed', 'Only `Expect: 100-continue` is understood.'),
  'validation-failed': kind(422, 'Validation failed', 'The request breaks its rules: see `errors`.'),
  'idempotency-key-reused': kind(
    422,
    'Idempotency key reused',
    'This Idempotency-Key was sent with another body: take a new one for a new request.',
  ),
  'headers-too-large': kind(
    431,
    'Headers too large',
    'The request line and headers are larger than is accepted.',
  ),
  'rate-limited': kind(429, 'Rate limited', 'Too many requests: wait as long as `Retry-After` says.', true),
  'internal-error': kind(500, 'Internal error', 'Something went wrong on our side.', true),
  'upgrade-refused': kind(501, 'Not implemented', 'Tunnels and other protocols are not offered here.'),
  unavailable: kind(503, 'Unavailable', 'The service can’t do this at the moment.', true),
  'not-ready': kind(503, 'Not ready', 'The service is not ready: see `checks`.', true),
} as const satisfies Record<string, Kind>;

export type Code = keyof typeof problems;
