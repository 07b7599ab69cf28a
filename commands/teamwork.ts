import { permissionsOf } from '../domain/permissions.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Office } from '../kernel/scope.ts';
import type { CommandPorts, Context } from './handle.ts';

type Ports = Pick<CommandPorts, 'handle' | 'clock'> &
  Readonly<{ user(userId: string): Promise<(Office & Readonly<{ disabledAt: string | null }>) | null> }>;

/** Whose submission it is. */
type Place = Readonly<{ submissionId: string; companyId: string }>;

/** What reviewers share of a submission. All throw `SubmissionNotFound` and `SubmissionRedacted`. */
export const teamwork = ({ handle, clock, user }: Ports) => {
  const mayDecide = async (userId: string, companyId: string): Promise<boolean> => {
    const found = await user(userId);
    if (found === null || found.disabledAt !== null) return false;
    const isWithin = found.companyId === null || found.companyId === companyId;
    return isWithin && permissionsOf(found.role).includes('submissions.decide');
  };
  return {
    addNote: ({ submissionId }: Place, text: string, context: Context) =>
      handle(submission, submissionStream(submissionId), { type: 'AddNote', text }, context),
    /** To nobody in particular with null. Throws `SubmissionNotInReview` and `AssigneeRefused`. */
    assign: async ({ submissionId, companyId }: Place, assignee: string | null, context: Context) => {
      if (assignee !== null && !(await mayDecide(assignee, companyId))) refuseAssignee();
      return handle(submission, submissionStream(submissionId), { type: 'Assign', assignee }, context);
    },
    /** `until`: ISO 8601. Throws `SubmissionNotInReview` and `PostponedWrongly`. */
    postpone: ({ submissionId }: Place, until: string, reason: string, context: Context) => {
      const command = { type: 'Postpone', until, reason, now: clock.now().toISOString() } as const;
      return handle(submission, submissionStream(submissionId), command, context);
    },
    /** Does nothing where it is not put off. Throws `SubmissionNotInReview`. */
    resume: ({ submissionId }: Place, context: Context) =>
      handle(submission, submissionStream(submissionId), { type: 'Resume' }, context),
  };
};

const refuseAssignee = (): never => {
  const detail = 'must be the identifier of a user who may decide submissions of the company';
  throw new DomainError('AssigneeRefused', 'The submission is assigned to nobody who may decide it.', {
    errors: [{ pointer: '/assignee', detail }],
  });
};
