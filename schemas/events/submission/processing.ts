import { fraudCheckTypes } from '../../../domain/fraud/checks.ts';
import { anyObject, closed, meaning, nullable, oneOf, Type } from '../../../kernel/schema.ts';
import type { EventEntry } from '../event.ts';
import {
  attempt,
  change,
  FraudAnswers,
  FraudScore,
  FraudStatus,
  privately,
  reader,
  record,
  routing,
  SubmissionId,
  share,
  text,
  time,
  whole,
} from '../parts.ts';
import { owed } from './sync.ts';

const ReviewReason = closed({
  code: oneOf([
    'low_confidence',
    'missing_required',
    'invalid_field',
    'fraud_flagged',
    'fraud_blocked',
    'always_review',
  ]),
  field: nullable(text('null where it is about none')),
});

const Fingerprint = closed({
  checkType: oneOf(fraudCheckTypes),
  value: text('an HMAC: the same only where two submissions are to be matched'),
  files: Type.Array(closed({ fileId: Type.String(), label: Type.String() })),
});

const Print = closed({
  fileId: Type.String(),
  label: Type.String(),
  page: whole('from 1'),
  width: whole('in pixels'),
  height: whole('in pixels'),
  strokes: text('a bit a pixel, row by row, deflated, base64'),
  words: Type.Array(closed({ text: text('as read'), confidence: share('how sure its reader was') })),
});

const FraudMatch = closed({
  id: Type.String(),
  checkType: oneOf(fraudCheckTypes),
  score: share('what the match weighs'),
  similarity: share('how alike they are'),
  matchedSubmissionId: SubmissionId,
});

const FraudPolicy = closed({
  flagAt: share('the score that flags'),
  blockAt: share('the score that blocks'),
  requireResolution: Type.Boolean({
    description: 'whether a match that blocks must be dismissed before approval',
  }),
  answers: Type.Optional(FraudAnswers),
});

/** What ends a submission's being matched with. */
export const forgotten = {
  fingerprints: Type.Optional(
    Type.Array(Type.String(), {
      description: 'the values that no longer count, where there were any',
    }),
  ),
};

const reason = text('for people');

const writtenBy = ['reactors/processSubmissions.ts'];

/** What processing and its fraud checks tell. */
export const processingEvents = {
  SubmissionProcessingStarted: {
    about: 'A worker took it.',
    writtenBy: [...writtenBy, 'commands/submitSession.ts'],
    versions: [closed({ ...routing, ...change, ...attempt })],
  },
  SubmissionProcessingDelayed: {
    about: 'The attempt failed for a passing reason.',
    writtenBy,
    versions: [
      closed({
        ...routing,
        ...attempt,
        retryAt: time('when the next attempt is due'),
        waitsFor: Type.Optional(
          meaning(
            Type.Literal('extractor'),
            'an http extractor gave no result; absent where it was a part of the service',
          ),
        ),
        private: privately({ reason }),
      }),
    ],
  },
  SubmissionFingerprinted: {
    about: 'Others are matched with it from here on: of two duplicates the first in the log is the earlier.',
    writtenBy: ['commands/fingerprintSubmission.ts'],
    versions: [
      closed({
        ...routing,
        ...attempt,
        fingerprints: Type.Array(Fingerprint),
        private: Type.Optional(
          meaning(
            privately({ prints: Type.Array(Print) }),
            'what near duplicates of its pictures are compared by; absent where there is none',
          ),
        ),
      }),
    ],
  },
  SubmissionFraudChecked: {
    about: 'The checks of its workflow version were made.',
    writtenBy,
    versions: [
      closed({
        ...routing,
        round: attempt.round,
        matches: Type.Array(FraudMatch),
        policy: meaning(FraudPolicy, 'where the version draws its lines'),
        fraudStatus: FraudStatus,
        fraudScore: FraudScore,
        private: privately({ details: record(anyObject(''), 'what each match compared, by its id') }),
      }),
    ],
  },
  SubmissionProcessed: {
    about: 'Its data were read: it is approved, or a person must look.',
    writtenBy,
    versions: [
      closed({
        ...routing,
        ...change,
        ...attempt,
        confidence: share('how likely the weakest required value is right'),
        certainty: share('how much of the files was understood'),
        fraudStatus: FraudStatus,
        fraudScore: FraudScore,
        reviewReasons: meaning(Type.Array(ReviewReason), 'why a person must look; empty when none must'),
        ...owed,
        private: privately({
          extractedData: anyObject('the fields of the workflow'),
          fieldConfidences: record(Type.Number(), 'by field, from 0 to 1'),
          aiSummary: text('one sentence for a reader'),
          result: anyObject('what was read of each field, and where'),
        }),
      }),
    ],
  },
  SubmissionProcessingFailed: {
    about: 'Its files can’t be processed, or a better picture would do.',
    writtenBy,
    versions: [closed({ ...routing, ...change, ...forgotten, ...attempt, private: privately({ reason }) })],
  },
  SubmissionResultDropped: {
    about: 'An attempt ended after the submission had been cancelled.',
    writtenBy,
    versions: [closed({ ...routing, ...attempt, outcome: text('what it would have ended in') })],
  },
  SubmissionReprocessingRequested: {
    about: 'An operator asked for a new round.',
    writtenBy: ['cli/submissions.ts'],
    versions: [closed({ ...routing, ...change, round: attempt.round, ...reader })],
  },
} as const satisfies Readonly<Record<string, EventEntry>>;
