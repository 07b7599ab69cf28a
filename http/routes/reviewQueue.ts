import type { ClaimNext } from '../../commands/claimNext.ts';
import { requireInReview } from '../../domain/submission/guard.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { actorText } from '../../kernel/event.ts';
import { laneOf } from '../../kernel/lane.ts';
import { Type } from '../../kernel/schema.ts';
import type { Changes } from '../../projections/engine/changes.ts';
import type { WaitingDocument } from '../../projections/reviewQueue.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import { waitingRow } from '../../projections/waitingRow.ts';
import { queueFilters } from '../../schemas/listFilters.ts';
import { cursor, decidedSince, limit, submissionId, wait } from '../../schemas/parameters.ts';
import { Claim, ClaimedNext, NextRequest, ReviewQueue } from '../../schemas/reviewQueue.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import { actorOf, callerIdOf } from '../engine/access/caller.ts';
import { Problem } from '../engine/problems/problem.ts';
import type { LongPolls } from '../engine/request/longPolls.ts';
import { type Route, route } from '../engine/route.ts';
import { visibleSubmission } from './caller.ts';
import { isOfAnother, isPostponed, type QueuePorts, queuePage } from './queuePage.ts';

type ReviewQueuePorts = QueuePorts &
  Readonly<{
    claimNext: ClaimNext<SubmissionDocument>;
    polls: LongPolls;
    /** Of the queues, by their lanes. */
    changes: Changes;
    /** The submission as the log has it now. */
    current(submissionId: string): Promise<Submission | null>;
  }>;

/** Rows that are looked through at once for the next one. */
const LOOKED_AT = 50;

/** The review queue, and claims on what waits in it (review-queue-1). */
export const reviewQueueRoutes = (ports: ReviewQueuePorts): readonly Route[] => {
  const { queue, claims, claimNext, polls, changes, current, clock } = ports;
  const page = queuePage(ports);
  const find = visibleSubmission(current);
  return [
    route({
      name: 'listReviewQueue',
      summary: 'List the submissions that wait for a review, with who has claimed them',
      description:
        'Live with `wait`: a request whose `If-None-Match` names the present answer is answered as soon as another one is due, otherwise with a 304 in the end. Up to four requests of a key or person may wait at once.',
      method: 'GET',
      path: '/api/v1/review-queue',
      access: 'submissions.read',
      query: { ...queueFilters, decidedSince, wait, cursor, limit },
      answers: { 200: ReviewQueue },
      headers: ['ETag'],
    })({
      run: async ({ caller, query: { wait: seconds, ...query }, client }) => {
        const key = laneOf(caller.companyId, caller.mode);
        const asking = client();
        const { tag, body } = await polls.answer(
          { changes, key, callerId: callerIdOf(caller), waitMs: seconds * 1_000, client: asking },
          { read: () => page(caller, query), isNew: (answer) => !asking.has(answer.tag) },
        );
        return { status: 200, headers: { ETag: tag }, body };
      },
    }),
    route({
      name: 'claimNext',
      summary: 'Claim the next submission that waits for a review',
      description:
        'The first in the order that nobody has claimed, that is not put off or somebody else’s, and that is not named in `after`. One that waits for a second decision is skipped for who made the first. Of two people who ask at once each gets another. 204 when there is none.',
      method: 'POST',
      path: '/api/v1/review-queue/next',
      access: 'submissions.claim',
      body: NextRequest,
      answers: { 200: ClaimedNext, 204: Type.Null() },
    })({
      run: async ({ caller, body: { order = 'oldest', after = [], ...filters } }) => {
        const { companyId, mode, userId } = caller;
        const claimed = await claims.of(laneOf(companyId, mode));
        const skipped = new Set([...claimed.keys(), ...after]);
        const own = actorText(actorOf(caller));
        const next = await claimNext(userId, async (place) => {
          const within = { companyId, mode, ...filters };
          const now = clock.now().toISOString();
          const isChosen = (document: WaitingDocument) =>
            !skipped.has(document.id) &&
            document.firstBy !== own &&
            !isOfAnother(document, userId) &&
            !isPostponed(document, now);
          const found = await queue.page(within, order, LOOKED_AT, place, isChosen);
          return { ...found, items: found.items.map(({ id }) => ({ submissionId: id, companyId, mode })) };
        });
        const row = next && waitingRow(next.found);
        if (!row) return { status: 204, body: null };
        changes.nudge();
        return { status: 200, body: { ...row, claim: next.claim } };
      },
    }),
    route({
      name: 'claimSubmission',
      summary: 'Claim a submission in review, or renew the claim',
      description:
        'For two minutes: a page that has it open renews the claim. Others see who has it. A claim keeps nobody from deciding.',
      method: 'POST',
      path: '/api/v1/submissions/{submissionId}/claim',
      access: 'submissions.claim',
      parameters: { submissionId },
      body: NoMembers,
      answers: { 200: Claim },
      refusals: ['submission-not-in-review', 'claimed'],
    })({
      find,
      run: async ({ caller, found }) => {
        requireInReview(found);
        const claim = await claims.take(found.routing, caller.userId);
        if (claim === null) throw claimedBy(await claims.find(found.routing));
        changes.nudge();
        return { status: 200, body: claim };
      },
    }),
    route({
      name: 'releaseSubmission',
      summary: 'End the own claim on a submission',
      description: 'Other people may claim it at once.',
      method: 'DELETE',
      path: '/api/v1/submissions/{submissionId}/claim',
      access: 'submissions.claim',
      parameters: { submissionId },
      answers: { 204: Type.Null() },
    })({
      find,
      run: async ({ caller, found }) => {
        await claims.release(found.routing, caller.userId);
        changes.nudge();
        return { status: 204, body: null };
      },
    }),
  ];
};

/** That somebody else has it; who that is may have changed, or ended, by now. */
const claimedBy = (claim: Claim | null): Problem =>
  claim === null
    ? new Problem('claimed')
    : new Problem('claimed', `\`user:${claim.userId}\` has claimed the submission.`, { members: { claim } });
