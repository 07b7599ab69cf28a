import { INVITATION_HOURS } from '../../domain/invitation.ts';

/** The introduction for integrators, in the Markdown subset of http/docs/markdown.ts. */
export const introduction = `Intake receives documents, extracts their fields, and has people decide where a machine should not. People work in the console at \`/console\`, which uses nothing but this API. The routes under \`/api/v1\` are for servers, and for these pages. Never put a key into a browser or an app.

### From a file to its result

1. \`POST /api/v1/workflows/{slug}/sessions\` opens a session. The answer has an upload address for each file.
2. Send each file to its address, with exactly the method, headers and form fields that are given with it. The bytes go to object storage, not through this API.
3. \`POST /api/v1/workflows/{slug}/sessions/{sessionId}/submit\` queues the session.
4. A signed webhook reports when it is processed. Or poll \`GET /api/v1/jobs/{sessionId}\`, as often as its \`Retry-After\` says.
5. \`GET /api/v1/submissions/{submissionId}\` has the result. If it is in review, approve, reject or cancel it.

### The life of a submission

A session and its submission are created together. \`submissionStatus\` is the status of the submission, \`state\` that of its job.

- **created**: the session waits for its files (state \`pending\`, until \`expiresAt\`), or has been submitted (\`queued\`).
- **processing**: the files are being read (\`processing\`).
- **approved**: no review was needed, or a reviewer approved (\`completed\`). Then **synced**, where the workflow sends its data on.
- **review**: a person must decide, for the \`reviewReasons\` (\`completed\`). Approve it, or reject it: **rejected** is final.
- **failed**: the files can't be processed (\`failed\`); \`failedReason\` says why. **capture_quality_blocked**: a better picture is needed: open a new session with one. Either can be processed again (\`reprocess\`), or go to review with empty fields (\`enter\`).
- **cancelled**: by you, as long as it was not approved, synced or rejected; or its session was not submitted in time (\`expired\`). A job that had ended before keeps its state.

### Authentication

Send an API key as \`Authorization: Bearer aok_…\`. A key belongs to a company, or to none (unscoped): such a key may call only the routes that say so. Sessions and jobs are visible to the key that created them; submissions, fraud matches and batches to every key of the company. What a key has no access to gets the same answer as what does not exist. Test keys have access to test data only.

To rotate a key, an administrator calls \`POST /api/v1/keys/{keyId}/rotate\` or does it in the console: both keys work for an overlap, in which you switch to the new one.

People complete an invitation, and log in with \`POST /api/auth/sessions\`. Programs that act for them send the session token as \`Authorization: Bearer ast_…\`; the service’s own pages have it in a cookie, and send the \`csrfToken\` as \`X-CSRF-Token\` with each change. A request has one of these credentials, or an API key. What a person may do depends on the role (org_admin, reviewer, auditor, super_admin): each operation names the credentials that it takes, and a role without the permission gets a 403 \`role-required\`. People act for their own company and see all of it, also what belongs to single keys; a super_admin names the company in \`Intake-Company\`. \`Intake-Mode: test\` is for test data. The actor of what a person does is that person, so that \`actor\` and \`resolvedBy\` in their bodies are refused. Web pages may call \`/api/auth\` and \`/api/internal\` from the origins that the operator has listed.

### Conventions

- Member names are camelCase. Every documented member is present unless it is marked as optional; an unknown fact is \`null\`. Members may be added at any time: ignore unknown ones.
- Times are UTC in ISO 8601 with milliseconds. Shares, scores and confidences are numbers from 0 to 1. Sizes are bytes; a megabyte is 1,048,576 of them.
- Request bodies are JSON in UTF-8, uncompressed, at most 256 KiB; no body is \`{}\`. An optional member may be \`null\`, and optional text empty: both mean that it is absent. Unknown members are refused. Unknown query parameters are ignored; repeated ones are refused.
- Lists are newest first, unless documented otherwise. \`limit\` is clamped to 1..100. \`nextCursor\` continues where the page ended, with the same filters. No item is repeated or skipped while others are added.
- After a 2xx answer to a POST, the next GET includes its effect.
- \`X-Request-Id\` (at most 128 printable characters, and no key) is echoed, created when absent, and stored with everything that the request causes.
- \`HEAD\` answers as \`GET\` does. Another method on a known path is a 405 with \`Allow\`. There are no redirects, and no upgrades or tunnels (501).

### Doing things once

Send an \`Idempotency-Key\` with a POST: if you don't know whether it arrived, send it again with the same key and the same body. Nothing is done twice, and for 24 hours the first answer is repeated, with \`Idempotency-Replayed: true\`. While the first request is being answered the answer is a 409, for 15 seconds at most. 401, 403, 429, 500 and 503 are not stored: send the request again with the same key.

Submitting a session and resolving a match in the same way are safe to repeat without one; a reviewer's decision is not: a second one is a 409.

The \`ETag\` of a submission is its revision. Send it as \`If-Match\` with a decision, to decide only on what you have seen, or as \`If-None-Match\` with a GET, to get a 304 without a body while nothing has changed; for new download addresses, GET it without. Workflows have one too.

### Limits

A key, or a person, may send 100 requests a second by default: \`RateLimit-Policy\` has the limit, \`RateLimit\` what remains of it. Beyond that, and after too many failed attempts to authenticate from one address, the answer is a 429. 429 and 503 have \`Retry-After\`, in seconds. Sessions of people are valid for twelve hours, those of pages until two idle hours, invitations for ${INVITATION_HOURS}.

### Problems

Every answer that is not a 2xx is \`application/problem+json\` (RFC 9457). Programs decide by its \`code\`: each has a page at \`/problems/<code>\`. \`retryable\` says whether the same request may succeed later. 400 and 422 name each fault in \`errors\`, by a JSON Pointer; outside the body it begins with \`/query\`, \`/path\` or \`/headers\`. A refused decision has \`currentStatus\` and \`allowedFrom\`, the statuses in which it is possible, or the \`fraudMatches\` that block it.

Refusals come in this order: 404 for an unknown path, 405, 401, 403, 429, 400, 413, 415, 404, 422, 412, 409.

### Verifying webhooks

Take the lower-case hex SHA-256 of the API key that opened the session; that text is the secret. \`X-Webhook-Signature\` is \`sha256=\` and the hex HMAC-SHA256 of the raw body under it. Compare in constant time, before the body is parsed. Webhooks may come more than once, and not always in the order of their events: store \`X-Webhook-Id\` to detect duplicates, read the submission for its current state, and refuse old requests by \`X-Webhook-Timestamp\`. Libraries for Standard Webhooks work too: their secret is \`whsec_\` and the base64 of the same text.`;
