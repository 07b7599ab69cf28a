import { mutantsOf } from './mutant.ts';

/** Breakages at the edges: HTTP, webhooks, stores, credentials. */
export const edgesBroken = [
  mutantsOf('domain/webhookEvents.ts', [
    ['webhooks-5', 'batchRef: state.batchRef', 'batch: state.batchRef'],
    ['webhooks-8', "&& event.data.to === 'review'", "&& event.data.to === 'rejected'"],
    ['webhooks-9', "eventType.startsWith('session.') ? state.result : null", 'state.result'],
    ['webhooks-10', "SessionExpired: 'submission.cancelled'", 'SessionExpired: null'],
    ['webhooks-33', 'eventId: event.id,', 'eventId: event.metadata.$correlationId,'],
    [
      'batches-13',
      "result: { batchRef, status: 'completed', counts, createdAt, completedAt }",
      'result: null',
    ],
  ]),
  mutantsOf('domain/webhookUrl.ts', [
    ['webhooks-28', 'b >= 16 && b <= 31', 'b >= 16 && b <= 30'],
    ['webhooks-29', '\\.internal$|', ''],
    ['webhooks-30', "parsed.username !== '' ||", ''],
    ['webhooks-31', '\\d+$/.test(host)', '\\d+/.test(host)'],
  ]),
  mutantsOf('domain/retrySchedule.ts', [
    ['webhooks-16', '300_000, 1_800_000', '300_000, 3_600_000'],
    ['sync-2', 'length: 24', 'length: 23'],
  ]),
  mutantsOf('outbound/sign.ts', [
    ['webhooks-1', "'X-Webhook-Timestamp': timestamp", "'X-Webhook-Timestamp': String(at.getTime())"],
    ['webhooks-2', "update(body).digest('hex')", "update(body).digest('base64')"],
    ['webhooks-3', "'webhook-id': id", "'webhook-id': timestamp"],
    ['extractors-4', "'Idempotency-Key': submissionId", "'Idempotency-Key': id"],
  ]),
  mutantsOf('outbound/send.ts', [
    ['webhooks-15', 'ATTEMPT_MS = 10_000', 'ATTEMPT_MS = 60_000'],
    ['webhooks-23', 'ANSWER_LIMIT = 65_536', 'ANSWER_LIMIT = 655_360'],
    ['deliveries-3', 'durationMs: durationMs(), error: statusText', 'durationMs: 0, error: statusText'],
  ]),
  mutantsOf('outbound/testReceiver.ts', [
    ['webhook-tests-1', "type: 'webhook.test'", "type: 'webhook.tested'"],
    ['webhook-tests-2', 'TEST_MS = 5_000', 'TEST_MS = 9_000'],
  ]),
  mutantsOf('http/engine/access/apiKeys.ts', [
    ['keys-3', 'if (revokedAt !== null)', 'if (false)'],
    ['visibility-4', 'companyId === null', 'false'],
  ]),
  mutantsOf('http/engine/access/credentials.ts', [
    ['problems-5', "'WWW-Authenticate': 'Bearer'", "'WWW-Authenticate': 'Basic'"],
  ]),
  mutantsOf('http/engine/access/admit.ts', [['agent-1', "administrator.role !== 'super_admin'", 'false']]),
  mutantsOf('http/engine/access/cors.ts', [['agent-2', '&& !origins.has(origin)', '&& false']]),
  mutantsOf('stores/idempotency/records.ts', [['idempotency-7', '24 * 3_600_000', '25 * 3_600_000']]),
  mutantsOf('http/engine/access/rateLimits.ts', [
    ['limits-1', 'exceeded: count > points', 'exceeded: count > points + 5'],
    ['webhook-tests-6', 'WEBHOOK_TESTS = 10', 'WEBHOOK_TESTS = 11'],
  ]),
  mutantsOf('http/engine/request/body.ts', [
    ['requests-13', "{ value: {}, text: '{}' }", "{ value: null, text: 'null' }"],
    ['requests-15', 'MAX_BYTES = 256 * 1024', 'MAX_BYTES = 257 * 1024'],
  ]),
  mutantsOf('http/engine/request/paging.ts', [['paging-5', '!== filterHash(filters)', '=== 0']]),
  mutantsOf('http/engine/request/idempotency.ts', [
    ['idempotency-5', '\\x7e]{1,255}$/', '\\x7e]{1,512}$/'],
    ['idempotency-1', "path.startsWith('/api/v1/')", "path.startsWith('/api/v2/')"],
    ['idempotency-8', '401, 403, 429, 500, 503', '403, 429, 500, 503'],
  ]),
  mutantsOf('http/engine/request/parameters.ts', [
    ['requests-2', 'getAll(name).length > 1', 'getAll(name).length > 2'],
  ]),
  mutantsOf('http/engine/request/preconditions.ts', [
    ['conditions-2', 'tags.includes(entityTag(revision).ETag)', 'tags.length > 0'],
  ]),
  mutantsOf('http/engine/identify.ts', [['requests-5', '{1,128}', '{1,256}']]),
  mutantsOf('http/engine/problems/problem.ts', [
    ['problems-8', 'requestId, retryable, ...members', 'requestId, ...members'],
  ]),
  mutantsOf('http/routes/caller.ts', [['test-mode-1', '&& mode === caller.mode', '']]),
  mutantsOf('http/routes/jobs.ts', [['visibility-2', 'stored?.startsWith(', 'stored?.concat(']]),
  mutantsOf('http/routes/sessions.ts', [
    ['sessions-8', '&& state.routing.workflow.slug === parameters.slug', ''],
  ]),
  mutantsOf('http/routes/fraud.ts', [['fraud-16', '`key:', '`user:']]),
  mutantsOf('schemas/parameters.ts', [['paging-2', 'Math.min(100,', 'Math.min(200,']]),
  mutantsOf('schemas/unsafeJson.ts', [['requests-17', '!Number.isSafeInteger(value)', 'false']]),
  mutantsOf('schemas/sessionRules.ts', [['sessions-4', '16 * 1024', '17 * 1024']]),
  mutantsOf('schemas/identity.ts', [['invitations-7', 'minLength: 8', 'minLength: 7']]),
  mutantsOf('commands/authenticate.ts', [
    ['logins-1', '12 * 3_600_000', '24 * 3_600_000'],
    ['logins-6', 'hashToken(token), { userId', 'token, { userId'],
  ]),
  mutantsOf('stores/credentials.ts', [
    ['keys-4', "hash('sha256', plaintext)", 'plaintext'],
    ['keys-5', 'TOUCH_MS = 60_000', 'TOUCH_MS = 0'],
  ]),
].flat();
