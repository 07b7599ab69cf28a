/**
 * Where what is private of a submission is found before its redaction, and nowhere else: the map of
 * docs/privacy.md.
 */
export const PLACES: readonly string[] = [
  'DATA_DIR/models.db',
  'DATA_DIR/objects/evidence/…',
  'DATA_DIR/objects/parts/…',
  'GET /api/v1/batches',
  'GET /api/v1/events',
  'GET /api/v1/jobs/{sessionId}',
  'GET /api/v1/review-queue',
  'GET /api/v1/submissions',
  'GET /api/v1/submissions/{submissionId}',
  'GET /api/v1/submissions/{submissionId}/events',
  'GET /api/v1/submissions/{submissionId}/evidence',
  'GET /api/v1/submissions/{submissionId}/files/{fileId}/pages/{page}',
  'GET /api/v1/submissions/{submissionId}/files/{fileId}/pages/{page}/words',
  'GET /api/v1/submissions/{submissionId}/fraud-matches',
  'GET /api/v1/submissions/{submissionId}/result',
  'GET /api/v1/webhook-deliveries',
  'GET /api/v1/webhook-deliveries/{deliveryId}',
  'evidence package/decisions.json',
  'evidence package/deliveries.json',
  'evidence package/deliveries/…',
  'evidence package/events.jsonl',
  'evidence package/files.json',
  'evidence package/files/…',
  'evidence package/state.json',
  'intake audit',
  'intake audit --json',
  'intake webhooks list',
  'intake webhooks show',
];
