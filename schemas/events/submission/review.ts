import { resolutions } from '../../../domain/submission/fraud.ts';
import { closed, meaning, nullable, oneOf, Type } from '../../../kernel/schema.ts';
import type { EventEntry } from '../event.ts';
import { change, FraudScore, FraudStatus, privately, routing, text, theirs, time } from '../parts.ts';
import { forgotten } from './processing.ts';
import { owed } from './sync.ts';

const Correction = closed({
  field: Type.String(),
  machineValue: theirs('what was read'),
  humanValue: theirs('what a person says; null clears'),
});

const actor = nullable(text('who decided, as the client names people'));
const comment = nullable(Type.String());
const reason = nullable(text('for people'));

const writtenBy = ['commands/reviewSubmission.ts'];
/** In test mode an outcome may be forced. */
const writtenByEither = [...writtenBy, 'reactors/processSubmissions.ts'];

/** What a review tells. */
export const reviewEvents = {
  SubmissionApproved: {
    about: 'A reviewer approved it, perhaps with corrections.',
    writtenBy: writtenByEither,
    versions: [
      closed({
        ...routing,
        ...change,
        ...owed,
        private: privately({ comment, actor, corrections: Type.Array(Correction) }),
      }),
    ],
  },
  SubmissionRejected: {
    about: 'A reviewer rejected it, for good.',
    writtenBy: writtenByEither,
    versions: [closed({ ...routing, ...change, private: privately({ reason, actor }) })],
  },
  SubmissionCancelled: {
    about: 'It was cancelled before it was approved.',
    writtenBy: writtenByEither,
    versions: [closed({ ...routing, ...change, ...forgotten, private: privately({ reason, actor }) })],
  },
  SubmissionFraudMatchResolved: {
    about: 'A reviewer judged a fraud match.',
    writtenBy,
    versions: [
      closed({
        ...routing,
        matchId: Type.String(),
        resolution: oneOf(resolutions),
        previousResolution: Type.Optional(
          meaning(
            oneOf(resolutions),
            'the resolution that this one replaces; absent where the match was open',
          ),
        ),
        resolvedAt: time('when it was judged'),
        fraudStatus: FraudStatus,
        fraudScore: FraudScore,
        private: privately({ resolvedBy: text('who judged it'), comment }),
      }),
    ],
  },
} as const satisfies Readonly<Record<string, EventEntry>>;
