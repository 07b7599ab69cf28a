import { EvidenceKey } from '../evidence.ts';
import { FilePages } from '../filePages.ts';
import { FraudMatch, FraudMatches, ResolveRequest } from '../fraud.ts';
import { LegalHoldAnswer, LegalHoldRequest, Redacted, RedactRequest } from '../redaction.ts';
import { ApproveRequest, Decision, EnterRequest, ReasonRequest } from '../review.ts';
import {
  EvidenceExports,
  SubmissionDetail,
  SubmissionEventPage,
  SubmissionPage,
  SubmissionResult,
  SubmittedFile,
} from '../submissions.ts';
import { type Example, example, ids, receipt, times, wholePage } from './example.ts';
import { echo, result } from './sessions.ts';

const judged = {
  submissionStatus: 'review',
  fraudStatus: 'flagged',
  fraudScore: 0.8,
  extractedData: { company: 'ACME Trading', total: 80.9 },
  confidence: 0.91,
} as const;

const workflow = { ...receipt, name: 'Receipt' } as const;

const match = {
  id: ids.match,
  checkType: 'duplicate_data',
  status: 'open',
  resolution: null,
  resolvedBy: null,
  resolvedAt: null,
  score: 0.8,
  similarity: 1,
  matchedSubmissionId: ids.earlier,
  details: { fields: ['company', 'total'] },
} as const;

const resolved = {
  ...match,
  status: 'resolved',
  resolution: 'dismissed',
  resolvedBy: 'jane.doe',
  resolvedAt: times.decided,
} as const;

const file = {
  id: ids.file,
  fileIndex: 0,
  label: 'front',
  fileName: 'receipt.jpg',
  mimeType: 'image/jpeg',
  fileSize: 482_133,
  downloadUrl:
    'https://storage.example.com/intake/evidence/01hv6x3m8q2r5t7w9y0a1b2c3d/0?X-Amz-Expires=3600&X-Amz-Signature=9b74',
} as const;

export const submissionExamples: readonly Example[] = [
  example(SubmissionPage, {
    data: [
      {
        id: ids.submission,
        ...judged,
        workflow,
        createdAt: times.opened,
        clientSubmissionId: echo.clientSubmissionId,
        redaction: null,
      },
    ],
    pagination: wholePage,
  }),
  example(SubmittedFile, file),
  example(SubmissionResult, { submissionId: ids.submission, result }),
  example(SubmissionDetail, {
    id: ids.submission,
    ...judged,
    fieldConfidences: { company: 0.97, total: 0.91 },
    certainty: 0.94,
    aiSummary: 'Company ACME Trading, Total 80.9; 2 of 2 fields found.',
    failedReason: null,
    rejectReason: null,
    cancelReason: null,
    workflow: { id: ids.workflow, ...workflow },
    files: [file],
    fraudMatches: [match],
    events: [
      { type: 'session.created', occurredAt: times.opened, details: { expiresAt: times.expires } },
      { type: 'submission.processing_started', occurredAt: times.opened, details: { round: 1, attempt: 1 } },
    ],
    ...echo,
    createdAt: times.opened,
    reviewReasons: [{ code: 'fraud_flagged', field: null }],
    firstDecision: null,
    corrections: [],
    updatedAt: times.processed,
    sync: null,
    redaction: null,
    legalHold: null,
  }),
  example(RedactRequest, {
    reason: 'Erasure request, article 17',
    legalBasis: 'erasure_request',
    requestedBy: 'ticket 4711',
  }),
  example(Redacted, {
    submissionId: ids.submission,
    workflow: receipt,
    submissionStatus: 'cancelled',
    redaction: 'requested',
  }),
  example(LegalHoldRequest, { reason: 'Proceedings of the tax office' }),
  example(LegalHoldAnswer, {
    submissionId: ids.submission,
    legalHold: { since: times.decided, actor: `key:${ids.key}` },
  }),
  example(SubmissionEventPage, {
    data: [
      {
        revision: 0,
        type: 'session.created',
        occurredAt: times.opened,
        actor: { kind: 'key', id: ids.key },
        requestId: 'order-4711-1',
        causation: ids.event,
        details: { expiresAt: times.expires },
      },
    ],
    pagination: wholePage,
  }),
  example(FilePages, {
    mediaType: 'image/jpeg',
    pages: [{ page: 1, size: { width: 595.28, height: 841.89 } }],
  }),
  example(EvidenceKey, {
    id: '2f9c1e07b4d85a63',
    algorithm: 'Ed25519',
    publicKey:
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n',
  }),
  example(EvidenceExports, {
    data: [
      {
        exportedAt: times.processed,
        actor: { kind: 'user', id: ids.user },
        requestId: 'case-17-1',
        key: '2f9c1e07b4d85a63',
      },
    ],
    pagination: wholePage,
    total: 1,
  }),
  example(ApproveRequest, {
    comment: 'Total read off the card slip',
    actor: 'jane.doe',
    corrections: { total: 80.95 },
  }),
  example(ReasonRequest, { reason: 'Not a business expense', actor: 'jane.doe' }),
  example(EnterRequest, { reason: 'Torn, and can be read by eye', actor: 'jane.doe' }),
  example(Decision, {
    submissionId: ids.submission,
    workflow: receipt,
    submissionStatus: 'approved',
    missing: [],
  }),
  example(FraudMatch, resolved),
  example(FraudMatches, { data: [match], pagination: wholePage }),
  example(ResolveRequest, {
    resolution: 'dismissed',
    comment: 'Two receipts of one evening',
    resolvedBy: 'jane.doe',
  }),
];
