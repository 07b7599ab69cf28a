import type { JudgedMatch } from '../../domain/submission/fraud.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { Clock } from '../../kernel/clock.ts';
import { actorText } from '../../kernel/event.ts';
import { fraudMatchItem } from '../../projections/submissionAnswers.ts';
import type { submissionQueries } from '../../projections/submissions.ts';
import { FraudMatch, FraudMatches, ResolveRequest } from '../../schemas/fraud.ts';
import { matchId, submissionId } from '../../schemas/parameters.ts';
import { actorOf } from '../engine/access/caller.ts';
import { wholeList } from '../engine/request/paging.ts';
import { entityTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { actorFaults, commandContext, visibleDocument, visibleSubmission } from './caller.ts';
import type { ReviewPorts } from './review.ts';

type FraudPorts = Pick<ReviewPorts, 'review' | 'current'> &
  Pick<ReturnType<typeof submissionQueries>, 'find' | 'labels'> &
  Readonly<{ clock: Clock }>;

/** Fraud matches and their resolution. */
export const fraudRoutes = ({ clock, find, labels, review, current }: FraudPorts): readonly Route[] => [
  route({
    name: 'listFraudMatches',
    summary: 'List all fraud matches of a submission',
    description: 'The similarities to earlier submissions that its checks found, resolved ones too.',
    method: 'GET',
    path: '/api/v1/submissions/{submissionId}/fraud-matches',
    access: 'submissions.read',
    parameters: { submissionId },
    answers: { 200: FraudMatches },
  })({
    find: visibleDocument(find),
    run: async ({ found: { submission } }) => {
      const { fraudMatches } = submission;
      const labelOf = await labels(fraudMatches.map(({ matchedSubmissionId }) => matchedSubmissionId));
      return { status: 200, body: wholeList(fraudMatches.map((match) => fraudMatchItem(match, labelOf))) };
    },
  }),
  route({
    name: 'resolveFraudMatch',
    summary: 'Confirm or dismiss a fraud match; the status of its submission does not change',
    description:
      'A confirmed match blocks an approval where the workflow says so. The same resolution again changes nothing.',
    method: 'POST',
    path: '/api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve',
    access: 'submissions.decide',
    parameters: { submissionId, matchId },
    body: ResolveRequest,
    answers: { 200: FraudMatch },
    refusals: ['fraud-match-resolved', 'submission-redacted'],
    conditional: true,
    headers: ['ETag'],
  })({
    find: async (request) => matchOf(await visibleSubmission(current)(request), request.parameters.matchId),
    check: ({ caller, body }) => actorFaults(caller, body),
    run: async (request) => {
      const { caller, parameters, found, body, guard } = request;
      const { resolution, comment = null, resolvedBy = actorText(actorOf(caller)) } = body;
      const resolvedAt = clock.now().toISOString();
      const judgement = { matchId: found.id, resolution, comment, resolvedBy, resolvedAt };
      const command = { type: 'ResolveFraudMatch', ...judgement } as const;
      const context = commandContext(request);
      const { state, position, revision } = await review(parameters.submissionId, command, context, guard);
      const labelOf = await labels([found.matchedSubmissionId]);
      const item = fraudMatchItem(matchOf(state, found.id) ?? found, labelOf);
      return { status: 200, headers: entityTag(revision), position, body: item };
    },
  }),
];

const matchOf = (submission: Submission | null, id: string): JudgedMatch | null =>
  submission?.fraudMatches.find((match) => match.id === id) ?? null;
