/** The introduction for integrators, in the Markdown subset of http/docs/markdown.ts. */
export const introduction = `Intake takes documents in, reads them, and has people decide where a machine should not. It is a headless service: what stands below \`/api/v1\` is for servers. Never put a key into a browser or an app.

### From a file to its result

1. \`POST /api/v1/workflows/{slug}/sessions\` opens a session. The answer holds an upload address for each file.
2. Send each file to its address, with exactly the method, headers and form fields that stand beside it. The bytes go to object storage, not through this API.
3. \`POST /api/v1/workflows/{slug}/sessions/{sessionId}/submit\` queues the session.
4. A signed webhook tells when it is processed, or \`GET /api/v1/jobs/{sessionId}\` does, asked as often as its \`Retry-After\` says.
5. \`GET /api/v1/submissions/{submissionId}\` shows the result. Where it waits for a reviewer, approve, reject or cancel it.

### The life of a submission

A session and its submission are made together. \`submissionStatus\` says what the submission is, \`state\` how far its job has come.

- **created**: the session waits for its files (state \`pending\`, until \`expiresAt\`), or has been submitted and waits for its turn (\`queued\`).
- **processing**: the files are being read (\`processing\`).
- **approved**: they were read and nobody needs to look, or a reviewer approved (\`completed\`). Then **synced**, where the workflow passes its data on.
- **review**: a person must decide, for the \`reviewReasons\` (\`completed\`). Approve it, or reject it: **rejected** is final.
- **failed**: the files can't be processed (\`failed\`); \`failedReason\` says why. **capture_quality_blocked**: a better picture would do, so open a new session with one.
- **cancelled**: by you, as long as it was not approved, synced or rejected; or its session was not submitted in time (\`expired\`). A job that had ended before keeps its state.

### Authentication

Send an API key as \`Authorization: Bearer aok_…\`. A key belongs to a company, or to none (unscoped): then it may only call what says so. Sessions and jobs are visible to the key that made them; submissions, fraud matches and batches to every key of the company. What a key may not see is answered exactly as what does not exist. Keys of test mode see and make test data only.

To change a key, make a second one for the same company, move to it, see that the first is no longer used, and have that revoked.

Administrators are people: they complete an invitation, log in by \`POST /api/auth/sessions\`, and send the session token as \`Authorization: Bearer ast_…\`. That token is no API key, and an API key opens no session. Pages may call \`/api/auth\` and \`/api/internal\` from the origins that the operator listed.

### Conventions

- Member names are camelCase. Every member that is named here is always present unless it is marked as optional; a fact that is not known is \`null\`. More members may be added at any time: ignore those that you don't know.
- Times are UTC in ISO 8601 with milliseconds. Shares, scores and confidences are numbers from 0 to 1. Sizes are bytes; a megabyte is 1,048,576 of them.
- Request bodies are JSON in UTF-8, uncompressed, at most 256 KiB; no body is \`{}\`. An optional member may be \`null\`, and optional text empty: either means that it is not given. Members that are not named here are refused. Query parameters that are not named here are ignored; one that is given twice is refused.
- Lists are newest first, unless they say otherwise. \`limit\` is clamped to 1..100; \`nextCursor\` goes on where the page ended, with the same filters. No item is repeated or skipped while others are added.
- After a POST was answered with a 2xx, the next GET shows what it did.
- \`X-Request-Id\` (at most 128 printable characters, and no key) is echoed, made when absent, and kept with everything that the request caused.
- \`HEAD\` answers as \`GET\` does. Another method on a known path is a 405 with \`Allow\`. There are no redirects, and no upgrades or tunnels (501).

### Doing things once

Send an \`Idempotency-Key\` with a POST: when you don't know whether it arrived, send it again with the same key and the same body. Nothing is done twice, and the first answer comes again for 24 hours, marked \`Idempotency-Replayed: true\`. While the first is at work it is a 409, for 15 seconds at most; 401, 403, 429, 500 and 503 are not kept, so send it again under the same key.

Submitting a session and resolving a match in the same way are safe to repeat without one; a reviewer's decision is not: a second one is a 409.

The \`ETag\` of a submission is its revision. Send it as \`If-Match\` with a decision, to decide only on what you have seen.

### Limits

A key may send 100 requests a second, unless this service was set otherwise: \`RateLimit-Policy\` tells how many, \`RateLimit\` what is left. Beyond that, and after too many failed attempts to authenticate from one address, the answer is a 429. 429 and 503 carry \`Retry-After\`, in seconds. Session tokens of administrators live twelve hours, invitations 72.

### Problems

Every answer that is not a 2xx is \`application/problem+json\` (RFC 9457). Its \`code\` says what to do in a program: each has a page at \`/problems/<code>\`. \`retryable\` says whether the same request may succeed later. 400 and 422 name each fault in \`errors\`, by a JSON Pointer; outside the body it begins with \`/query\`, \`/path\` or \`/headers\`. A refused decision tells \`currentStatus\` and the statuses that it is \`allowedFrom\`, or the \`fraudMatches\` that block it.

Refusals come in this order: 404 for an unknown path, 405, 401, 403, 429, 400, 413, 415, 404, 422, 412, 409.

### Verifying webhooks

Take the lower-case hex SHA-256 of the API key that opened the session; that text is the secret. \`X-Webhook-Signature\` is \`sha256=\` and the hex HMAC-SHA256 of the raw body under it. Compare in constant time, before the body is parsed. Webhooks may come more than once, and not always in the order of their events: store \`X-Webhook-Id\` to drop repetitions, read the submission for how it stands, and refuse what is too old by \`X-Webhook-Timestamp\`. Libraries for Standard Webhooks work too: their secret is \`whsec_\` and the base64 of the same text.`;
