import type { Event } from '../../kernel/event.ts';
import type { Mode } from '../../kernel/scope.ts';
import type { VisualFingerprint } from '../fraud/pages.ts';
import type { Fingerprint } from './fingerprints.ts';
import type { Forced } from './forced.ts';
import type { FraudMatch, FraudPolicy, FraudStatus, Resolution } from './fraud.ts';
import type { ReadBy } from './readBy.ts';
import type { Status } from './transitions.ts';

/** What every submission and delivery event carries, so that no reader needs another event to place it. */
export type Routing = Readonly<{
  submissionId: string;
  companyId: string;
  mode: Mode;
  keyId: string;
  workflow: Readonly<{ slug: string; version: number }>;
  /** The batch's identifier (an HMAC of company, mode and batchRef), null outside a batch. */
  batchId: string | null;
}>;

/**
 * A change of status. `firstProcessed` is true the first time a submission counts as processed (lifecycle-22), `processed`
 * from then on: a cancellation says by it whether the session leaves its batch, whatever rounds there were.
 */
export type Move = Readonly<{ from: Status | null; to: Status; firstProcessed: boolean; processed: boolean }>;

/** The fingerprints (their values) that no longer count: the index needs no other event to find them. Absent where there were none. */
type Forgotten = Readonly<{ fingerprints?: readonly string[] }>;

/** A private part as readers get it: open, or closed for ever once its key has been destroyed. */
export type Private<P> = Readonly<P> | Readonly<{ redacted: true }>;

/** A place for one file. `mimeType`, `fileSize` (bytes) and `sha256` (hex) are null where the client declared nothing. */
export type Slot = Readonly<{
  fileId: string;
  fileIndex: number;
  label: string;
  mimeType: string | null;
  fileSize: number | null;
  sha256: string | null;
}>;

/** A checked upload, copied to its evidence key; `etag` is the object store's mark of the very bytes that were checked. */
export type SubmittedFile = Readonly<{
  fileId: string;
  fileIndex: number;
  label: string;
  mimeType: string;
  fileSize: number;
  etag: string;
}>;

export type ReviewReason = Readonly<{
  code:
    | 'low_confidence'
    | 'missing_required'
    | 'invalid_field'
    | 'fraud_flagged'
    | 'fraud_blocked'
    | 'always_review';
  field: string | null;
}>;

export type Correction = Readonly<{ field: string; machineValue: unknown; humanValue: unknown }>;

/** The origin of the sync target that approved data are owed to; absent where there is none, or where they must not leave. */
type Owed = Readonly<{ syncTo?: string }>;

/** What processing found in the files of a submission; confidences from 0 to 1. */
export type Extraction = Readonly<{
  extractedData: Readonly<Record<string, unknown>>;
  fieldConfidences: Readonly<Record<string, number>>;
  aiSummary: string;
  result: Readonly<Record<string, unknown>>;
}>;

export type SessionCreated = Event<
  'SessionCreated',
  Routing &
    Move & {
      workflow: Readonly<{ id: string; slug: string; name: string; version: number }>;
      expiresAt: string;
      slots: readonly Slot[];
      /** Whether there is a webhookUrl: said openly, so that a redacted session without one waits for no delivery. */
      notifies: boolean;
      private: Private<{
        webhookUrl: string | null;
        clientSubmissionId: string | null;
        metadata: Readonly<Record<string, unknown>> | null;
        batchRef: string | null;
        fileNames: Readonly<Record<string, string>>;
      }>;
    }
>;
/** `forced`: what its metadata force in test mode; absent where they force nothing. */
export type SessionSubmitted = Event<
  'SessionSubmitted',
  Routing & { files: readonly SubmittedFile[]; forced?: Forced } & ReadBy
>;
export type SessionExpired = Event<'SessionExpired', Routing & Move>;
export type SubmissionProcessingStarted = Event<
  'SubmissionProcessingStarted',
  Routing & Move & { round: number; attempt: number }
>;
/** `waitsFor`: an http extractor gave no result; absent where it was a part of the service. */
export type SubmissionProcessingDelayed = Event<
  'SubmissionProcessingDelayed',
  Routing & {
    round: number;
    attempt: number;
    retryAt: string;
    waitsFor?: 'extractor';
    private: Private<{ reason: string }>;
  }
>;
/** From here on others are matched with it: this event's place in the log tells which of two duplicates came first. */
export type SubmissionFingerprinted = Event<
  'SubmissionFingerprinted',
  Routing & {
    round: number;
    attempt: number;
    fingerprints: readonly Fingerprint[];
    /** What near duplicates of its pictures are compared by; absent where there is none. */
    private?: Private<{ prints: readonly VisualFingerprint[] }>;
  }
>;
export type SubmissionFraudChecked = Event<
  'SubmissionFraudChecked',
  Routing & {
    round: number;
    matches: readonly Omit<FraudMatch, 'details'>[];
    policy: FraudPolicy;
    fraudStatus: FraudStatus;
    fraudScore: number;
    /** What each match compared, by the match's identifier: it may quote extracted data. */
    private: Private<{ details: Readonly<Record<string, FraudMatch['details']>> }>;
  }
>;
export type SubmissionProcessed = Event<
  'SubmissionProcessed',
  Routing &
    Move & {
      round: number;
      attempt: number;
      confidence: number;
      certainty: number;
      fraudStatus: FraudStatus;
      fraudScore: number;
      reviewReasons: readonly ReviewReason[];
      private: Private<Extraction>;
    } & Owed
>;
export type SubmissionProcessingFailed = Event<
  'SubmissionProcessingFailed',
  Routing & Move & Forgotten & { round: number; attempt: number; private: Private<{ reason: string }> }
>;
export type SubmissionResultDropped = Event<
  'SubmissionResultDropped',
  Routing & { round: number; attempt: number; outcome: string }
>;
export type SubmissionReprocessingRequested = Event<
  'SubmissionReprocessingRequested',
  Routing & Move & { round: number } & ReadBy
>;
export type SubmissionApproved = Event<
  'SubmissionApproved',
  Routing &
    Move &
    Owed & {
      private: Private<{ comment: string | null; actor: string | null; corrections: readonly Correction[] }>;
    }
>;
export type SubmissionRejected = Event<
  'SubmissionRejected',
  Routing & Move & { private: Private<{ reason: string | null; actor: string | null }> }
>;
export type SubmissionCancelled = Event<
  'SubmissionCancelled',
  Routing & Move & Forgotten & { private: Private<{ reason: string | null; actor: string | null }> }
>;
export type SubmissionFraudMatchResolved = Event<
  'SubmissionFraudMatchResolved',
  Routing & {
    matchId: string;
    resolution: Resolution;
    /** The resolution that this one replaces; absent where the match was open. */
    previousResolution?: Resolution;
    resolvedAt: string;
    fraudStatus: FraudStatus;
    fraudScore: number;
    private: Private<{ resolvedBy: string; comment: string | null }>;
  }
>;
export type SubmissionSynced = Event<'SubmissionSynced', Routing & Move>;
/** `attempt` counts all that were ever made; `nextAttemptAt` is null when it was given up. */
export type SubmissionSyncFailed = Event<
  'SubmissionSyncFailed',
  Routing & {
    attempt: number;
    statusCode: number | null;
    durationMs: number;
    error: string;
    nextAttemptAt: string | null;
  }
>;
/** The same bytes are to be sent again, with the whole schedule before them; `attempts` were made before. */
export type SubmissionSyncRequested = Event<
  'SubmissionSyncRequested',
  Routing & { syncTo: string; attempts: number }
>;

/** What processing and its fraud checks tell. */
export type ProcessingEvent =
  | SubmissionProcessingStarted
  | SubmissionProcessingDelayed
  | SubmissionFingerprinted
  | SubmissionFraudChecked
  | SubmissionProcessed
  | SubmissionProcessingFailed
  | SubmissionResultDropped
  | SubmissionReprocessingRequested;

/** What a review tells. */
export type ReviewEvent =
  | SubmissionApproved
  | SubmissionRejected
  | SubmissionCancelled
  | SubmissionFraudMatchResolved;

/** What the sync tells that follows an approval. */
export type SyncEvent = SubmissionSynced | SubmissionSyncFailed | SubmissionSyncRequested;

/** Every event of a `submission-` stream. Names are for ever. */
export type SubmissionEvent =
  | SessionCreated
  | SessionSubmitted
  | SessionExpired
  | ProcessingEvent
  | ReviewEvent
  | SyncEvent;
