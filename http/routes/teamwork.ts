import type { teamwork } from '../../commands/teamwork.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { actorText } from '../../kernel/event.ts';
import { submissionId } from '../../schemas/parameters.ts';
import {
  Assigned,
  AssignRequest,
  Note,
  NoteRequest,
  PostponeRequest,
  SubmissionPostponed,
} from '../../schemas/teamwork.ts';
import { actorOf } from '../engine/access/caller.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, visibleSubmission } from './caller.ts';

type TeamworkPorts = Readonly<{
  team: ReturnType<typeof teamwork>;
  /** The submission as the log has it now. */
  current(submissionId: string): Promise<Submission | null>;
}>;

/** What reviewers share: notes, who is to review a submission, and until when a review is put off. */
export const teamworkRoutes = ({ team, current }: TeamworkPorts): readonly Route[] => {
  const find = visibleSubmission(current);
  const common = { access: 'submissions.decide', parameters: { submissionId } } as const;
  const postponement = { ...common, path: '/api/v1/submissions/{submissionId}/postponement' } as const;
  return [
    route({
      ...common,
      name: 'addNote',
      summary: 'Write a note on a submission, for those who review it',
      description: 'In any status. Notes stay: the detail of the submission has them, oldest first.',
      method: 'POST',
      path: '/api/v1/submissions/{submissionId}/notes',
      body: NoteRequest,
      answers: { 201: Note },
      refusals: ['submission-redacted'],
    })({
      find,
      run: async ({ found, body: { text }, ...request }) => {
        const { position, at } = await team.addNote(found.routing, text, commandContext(request));
        return { status: 201, position, body: { actor: actorText(actorOf(request.caller)), at, text } };
      },
    }),
    route({
      ...common,
      name: 'assignSubmission',
      summary: 'Give the review of a submission to a person',
      description:
        'Others may still decide it; who asks for the next of the queue gets none that is somebody else’s. Null gives it to nobody in particular.',
      method: 'PUT',
      path: '/api/v1/submissions/{submissionId}/assignee',
      body: AssignRequest,
      answers: { 200: Assigned },
      refusals: ['submission-not-in-review', 'submission-redacted'],
    })({
      find,
      run: async ({ found, body: { assignee }, ...request }) => {
        const { position } = await team.assign(found.routing, assignee, commandContext(request));
        return { status: 200, position, body: { submissionId: found.routing.submissionId, assignee } };
      },
    }),
    route({
      ...postponement,
      name: 'postponeSubmission',
      summary: 'Put the review of a submission off to a later time',
      description: 'Until then the queue leaves it out. It can still be decided.',
      method: 'PUT',
      body: PostponeRequest,
      answers: { 200: SubmissionPostponed },
      refusals: ['submission-not-in-review', 'submission-redacted'],
    })({
      find,
      run: async ({ found, body: { until, reason }, ...request }) => {
        const { position } = await team.postpone(found.routing, until, reason, commandContext(request));
        const postponed = { until, actor: actorText(actorOf(request.caller)), reason };
        return { status: 200, position, body: { submissionId: found.routing.submissionId, postponed } };
      },
    }),
    route({
      ...postponement,
      name: 'resumeSubmission',
      summary: 'Have a review that was put off be due now',
      description: 'Nothing happens where it was not put off.',
      method: 'DELETE',
      answers: { 200: SubmissionPostponed },
      refusals: ['submission-not-in-review', 'submission-redacted'],
    })({
      find,
      run: async ({ found, ...request }) => {
        const { position } = await team.resume(found.routing, commandContext(request));
        return {
          status: 200,
          position,
          body: { submissionId: found.routing.submissionId, postponed: null },
        };
      },
    }),
  ];
};
