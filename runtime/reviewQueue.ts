import { claimNext } from '../commands/claimNext.ts';
import type { Submission } from '../domain/submission/state.ts';
import type { LongPolls } from '../http/engine/request/longPolls.ts';
import type { Route } from '../http/engine/route.ts';
import type { ReviewPorts } from '../http/routes/review.ts';
import { reviewQueueRoutes } from '../http/routes/reviewQueue.ts';
import { createChanges } from '../projections/engine/changes.ts';
import { reviewCounts } from '../projections/reviewCounts.ts';
import { submissionNow } from '../projections/submissionFromLog.ts';
import type { Core } from './wire.ts';

/** The routes of the review queue: its read models, claims, and the requests that wait for its changes. */
export const reviewQueue = (
  core: Pick<
    Core,
    'activity' | 'claims' | 'clock' | 'log' | 'progress' | 'reviewCounts' | 'reviewQueue' | 'submissions'
  >,
  current: (submissionId: string) => Promise<Submission | null>,
  polls: LongPolls,
): readonly Route[] => {
  const { claims, clock, log, progress } = core;
  const changes = createChanges(async (lane) => {
    const [counts, claimed] = await Promise.all([core.reviewCounts.find(lane), claims.of(lane)]);
    return JSON.stringify([counts?.position, [...claimed].sort()]);
  });
  progress.watch((changed) => {
    if (changed === null || changed.has(reviewCounts.name)) changes.nudge();
  });
  return reviewQueueRoutes({
    queue: core.reviewQueue,
    counts: core.reviewCounts.find,
    rows: core.submissions.waiting,
    countDecisions: core.activity.countDecisions,
    claims,
    clock,
    claimNext: claimNext({ claims, current: submissionNow(log) }),
    polls,
    changes,
    current,
  });
};

/** Ends the claim of a person who has decided, after the answer. */
export const releasing =
  ({ claims, background }: Pick<Core, 'claims' | 'background'>): ReviewPorts['decided'] =>
  (caller, place) => {
    if (caller.kind === 'person') background.run(() => claims.release(place, caller.userId));
  };
