import { fraudCheckTypes } from '../../domain/fraud/checks.ts';
import { fraudStatuses } from '../../domain/submission/fraud.ts';
import { statuses } from '../../domain/submission/transitions.ts';
import { roles } from '../../domain/user.ts';
import { type FraudAnswers as Answers, fraudAnswers } from '../../domain/workflow.ts';
import { closed, meaning, nullable, oneOf, Time, type TSchema, Type } from '../../kernel/schema.ts';

// What we write is ours, and so are its bounds: a schema here asks for the type and the members that evolve and projections count on, and for no
// length or pattern, which only the edge of the service knows (schemas/*.ts). An event that is refused here is a fault of ours: HTTP answers it with 500.

/** An identifier or a text, and what it means. */
export const text = (description: string) => Type.String({ description });
/** A whole number. */
export const whole = (description: string) => Type.Integer({ description });
/** A number from 0 to 1. */
export const share = (description: string) => Type.Number({ description: `${description}, from 0 to 1` });
/** A time in UTC (ISO 8601). */
export const time = (description: string) => meaning(Time, description);

/** A private part as readers have it: open, or closed for ever since its key was destroyed. */
export const privately = <P extends Record<string, TSchema>>(members: P) =>
  Type.Union([closed(members), closed({ redacted: Type.Literal(true) })]);

/** A value that belongs to a client or a workflow. */
export const theirs = (description: string) => Type.Unknown({ description });

/** An object by names of theirs or ours, with values of one kind. */
export const record = <S extends TSchema>(values: S, description: string) =>
  Type.Record(Type.String(), values, { description });

export const SubmissionId = Type.String();
export const CompanyId = Type.String();
export const KeyId = Type.String();
export const UserId = Type.String();
export const InvitationId = Type.String();
export const Mode = meaning(oneOf(['live', 'test']), 'which data it is part of: neither sees the other');
export const FraudStatus = oneOf(fraudStatuses);
const Answer = Type.Optional(oneOf(fraudAnswers));
export const FraudAnswers = meaning(
  Type.Unsafe<Answers>(closed(Object.fromEntries(fraudCheckTypes.map((type) => [type, Answer])))),
  'what is done about the matches of a check, whatever their score; absent where none is told',
);
export const FraudScore = share('the greatest score of the matches that are not dismissed');
export const Status = oneOf(statuses);

/** An administrator's role, and where it holds. */
export const office = {
  role: oneOf(roles),
  companyId: nullable(text('whose company; null for a super_admin')),
};

/** What every event of a submission and its session carries, so that no reader needs another event to place it. */
export const routing = {
  submissionId: SubmissionId,
  companyId: CompanyId,
  mode: Mode,
  keyId: meaning(KeyId, 'the key that opened the session'),
  workflow: closed({ slug: Type.String(), version: Type.Integer() }),
  batchId: nullable(text('an HMAC of company, mode and batchRef; null outside a batch')),
};

/** A change of status. */
export const change = {
  from: meaning(nullable(Status), 'the status before; null for a new one'),
  to: meaning(Status, 'the status from now on'),
  firstProcessed: Type.Boolean({ description: 'whether it counts as processed by this for the first time' }),
  processed: Type.Boolean({ description: 'whether it has ever counted as processed, this included' }),
};

/** Which attempt of which round of processing. */
export const attempt = {
  round: whole('the round of processing, from 1'),
  attempt: whole('the attempt of the round, from 1'),
};

/** Who reads a submission's files. */
export const reader = {
  readBy: Type.Optional(
    text(
      'the origin of the http extractor that reads its files; absent where they are read here, or by nobody',
    ),
  ),
};
