import type { JudgedMatch } from '../../domain/submission/fraud.ts';
import type { Result } from '../../domain/submission/result.ts';
import type { Routing } from '../../domain/submission/routing.ts';
import type { SessionCreated } from '../../domain/submission/session.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Status } from '../../domain/submission/transitions.ts';
import type { Actor, Recorded } from '../../kernel/event.ts';

const ulid = '01hv6x3m8q2r5t7w9y0a1b2c3d';

/** Example facts of a submission. */
export const routing: Routing = {
  submissionId: `sub_${ulid}`,
  companyId: `cmp_${ulid}`,
  mode: 'live',
  keyId: `key_${ulid}`,
  workflow: { slug: 'receipt', version: 1 },
  batchId: null,
};

export const created: SessionCreated = {
  type: 'SessionCreated',
  data: {
    ...routing,
    from: null,
    to: 'created',
    firstProcessed: false,
    processed: false,
    workflow: { id: `wf_${ulid}`, slug: 'receipt', name: 'Receipt', version: 1 },
    expiresAt: '2026-11-22T10:00:00.000Z',
    slots: [
      { fileId: `fil_${ulid}`, fileIndex: 0, label: 'front', mimeType: null, fileSize: null, sha256: null },
    ],
    notifies: true,
    private: {
      webhookUrl: 'https://example.com/hook',
      clientSubmissionId: 'order-1',
      metadata: { colour: 'blue' },
      batchRef: null,
      fileNames: {},
    },
  },
};

export const submitted: SubmissionEvent = {
  type: 'SessionSubmitted',
  data: {
    ...routing,
    files: [
      {
        fileId: `fil_${ulid}`,
        fileIndex: 0,
        label: 'front',
        mimeType: 'image/png',
        fileSize: 10,
        etag: 'e1',
      },
    ],
  },
};

const move = (from: Status, to: Status, firstProcessed = false) => ({
  from,
  to,
  firstProcessed,
  processed: firstProcessed || ['failed', 'capture_quality_blocked', 'review', 'approved'].includes(from),
});

export const started: SubmissionEvent = {
  type: 'SubmissionProcessingStarted',
  data: { ...routing, ...move('created', 'processing'), round: 1, attempt: 1 },
};

export const fingerprint = {
  checkType: 'duplicate_file',
  value: '5f'.repeat(32),
  files: [{ fileId: `fil_${ulid}`, label: 'front' }],
} as const;

export const fingerprinted: SubmissionEvent = {
  type: 'SubmissionFingerprinted',
  data: { ...routing, round: 1, attempt: 1, fingerprints: [fingerprint] },
};

export const extraction = {
  extractedData: { total: 80.9, company: null },
  fieldConfidences: { total: 0.95, company: 0 },
  aiSummary: 'Receipt, total 80.90.',
  result: { fields: {}, pages: 1, files: [] },
};

export const extracted: Extract<Result, { kind: 'extracted' }> = {
  kind: 'extracted',
  extraction,
  confidence: 0.95,
  certainty: 0.9,
  reviewReasons: [],
  fraud: null,
};

export const processed = (to: 'approved' | 'review'): SubmissionEvent => ({
  type: 'SubmissionProcessed',
  data: {
    ...routing,
    ...move('processing', to, true),
    round: 1,
    attempt: 1,
    confidence: 0.95,
    certainty: 0.9,
    fraudStatus: 'clean',
    fraudScore: 0,
    reviewReasons: to === 'review' ? [{ code: 'always_review', field: null }] : [],
    private: extraction,
  },
});

export const failed = (to: 'failed' | 'capture_quality_blocked'): SubmissionEvent => ({
  type: 'SubmissionProcessingFailed',
  data: {
    ...routing,
    ...move('processing', to, true),
    round: 1,
    attempt: 1,
    private: { reason: 'The file is corrupt.' },
  },
});

/** The first of two decisions, by the key of the routing facts unless by another. */
export const firstDecision = (
  outcome: 'approved' | 'rejected',
  by: Actor = { kind: 'key', id: routing.keyId },
  keyCreatedBy?: string,
): SubmissionEvent => ({
  type: 'SubmissionFirstDecisionMade',
  data: {
    ...routing,
    outcome,
    by,
    ...(keyCreatedBy === undefined ? {} : { keyCreatedBy }),
    private:
      outcome === 'approved'
        ? {
            comment: 'looks right',
            reason: null,
            actor: 'ann',
            corrections: [{ field: 'total', machineValue: 80.9, humanValue: 80.95 }],
          }
        : { comment: null, reason: 'no receipt', actor: 'ann', corrections: [] },
  },
});

export const approved: SubmissionEvent = {
  type: 'SubmissionApproved',
  data: {
    ...routing,
    ...move('review', 'approved'),
    private: { comment: null, actor: null, corrections: [] },
  },
};
export const rejected: SubmissionEvent = {
  type: 'SubmissionRejected',
  data: { ...routing, ...move('review', 'rejected'), private: { reason: 'no', actor: null } },
};
export const cancelled = (from: Status): SubmissionEvent => ({
  type: 'SubmissionCancelled',
  data: { ...routing, ...move(from, 'cancelled'), private: { reason: 'no', actor: null } },
});
export const expired: SubmissionEvent = {
  type: 'SessionExpired',
  data: { ...routing, ...move('created', 'cancelled') },
};
export const synced: SubmissionEvent = {
  type: 'SubmissionSynced',
  data: { ...routing, ...move('approved', 'synced') },
};

export const match: JudgedMatch = {
  id: `fm_${ulid}`,
  checkType: 'duplicate_file',
  score: 1,
  similarity: 1,
  matchedSubmissionId: 'sub_01hv6x3m8q2r5t7w9y0a1b2c3e',
  details: {},
  resolution: null,
  resolvedBy: null,
  resolvedAt: null,
};
export const policy = { flagAt: 0.5, blockAt: 0.9, requireResolution: true };

/** A stream that has come to each status, the shortest way. */
export const historyOf: Readonly<Record<Status, readonly SubmissionEvent[]>> = {
  created: [created],
  processing: [created, submitted, started],
  capture_quality_blocked: [created, submitted, started, failed('capture_quality_blocked')],
  review: [created, submitted, started, processed('review')],
  approved: [created, submitted, started, processed('approved')],
  synced: [created, submitted, started, processed('approved'), synced],
  rejected: [created, submitted, started, processed('review'), rejected],
  cancelled: [created, cancelled('created')],
  failed: [created, submitted, started, failed('failed')],
};

/** Events as the log would return them: one stream, revisions and positions from 0, a second apart. */
export const recorded = <E extends SubmissionEvent>(
  events: readonly E[],
  first = 0,
): readonly Recorded<E>[] =>
  events.map((event, index) => ({
    ...event,
    id: `00000000-0000-7000-8000-${String(first + index).padStart(12, '0')}`,
    stream: `submission-${ulid}`,
    revision: first + index,
    position: String(first + index).padStart(16, '0') as Recorded['position'],
    metadata: {
      schema: 1,
      at: new Date(Date.UTC(2026, 10, 21, 10, 0, first + index)).toISOString(),
      $correlationId: 'c',
      $causationId: 'c',
      actor: { kind: 'key', id: routing.keyId },
      prev: null,
    },
  }));
