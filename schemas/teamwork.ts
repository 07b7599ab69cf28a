import { closed, id, meaning, nullable, type Of, Time, Type, text, time } from '../kernel/schema.ts';

const said = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description, examples: [example] });
const actor = text('who did it: `user:<id>` or `key:<id>`', 'user:usr_01hv6x3m8q2r5t7w9y0a1b2c3d');

const NOTE = 'The branch sends the second page';
const REASON = 'The branch is closed';

/** What somebody wrote on a submission (team-1). */
export const Note = Type.Object({ actor, at: Time, text: text('for those who review it', NOTE) });
export type Note = Of<typeof Note>;

/** Who is to review a submission (team-2). */
export const Assignee = nullable(
  meaning(id('usr'), 'the user who is to review it; null for nobody in particular'),
);

/** Until when a review is put off, and who says so (team-4). */
export const Postponement = Type.Object({
  until: time('when the queue shows it again'),
  actor,
  reason: text('for people', REASON),
});
export type Postponement = Of<typeof Postponement>;

/** POST …/notes (team-1). */
export const NoteRequest = closed({ text: said(4_000, 'the note, for those who review it', NOTE) });

/** PUT …/assignee (team-2). */
export const AssignRequest = closed({ assignee: Assignee });
export const Assigned = Type.Object({ submissionId: id('sub'), assignee: Assignee });

/** PUT …/postponement (team-4). */
export const PostponeRequest = closed({
  until: time('when the queue shows it again, at most 90 days from now'),
  reason: said(1_000, 'why, for people', REASON),
});
export const SubmissionPostponed = Type.Object({
  submissionId: id('sub'),
  postponed: nullable(meaning(Postponement, 'until when it is put off; null where it is not')),
});
