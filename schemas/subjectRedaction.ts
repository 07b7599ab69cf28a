import {
  closed,
  example,
  id,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  Time,
  Type,
  text,
  time,
  times,
  whole,
} from '../kernel/schema.ts';
import { subjectNames } from './listFilters.ts';
import { RedactRequest } from './redaction.ts';

const stated = RedactRequest.properties;

/** POST /redactions (subjects-6). */
export const RedactSubject = closed({
  clientSubmissionId: optional(
    meaning(subjectNames.clientSubmissionId, 'all submissions with this clientSubmissionId', 'order-1'),
  ),
  metadata: optional(
    meaning(
      subjectNames.metadata,
      'all submissions whose metadata have this member with exactly this text, number, true or false, as `name=value`; with a clientSubmissionId those of both',
      'customer=4711',
    ),
  ),
  ...stated,
});

export const SubjectRedactionStatus = meaning(
  oneOf(['running', 'done']),
  'running: it goes on by itself; done: nothing private is left of those that were requested',
);

const submissionIds = (description: string) => Type.Array(id('sub'), { description, examples: [[]] });

/** The redaction of all submissions of a person, and how far it is (subjects-7). */
export const SubjectRedaction = Type.Object({
  redactionId: id('red'),
  status: example(SubjectRedactionStatus, 'running'),
  reason: stated.reason,
  legalBasis: stated.legalBasis,
  requestedBy: nullable(text('who asked for it, such as the number of a ticket', 'ticket 4711')),
  actor: text('who requested it: `user:<id>` or `key:<id>`', 'key:key_01hv6x3m8q2r5t7w9y0a1b2c3d'),
  total: whole('the submissions that were found, at most 10,000', 12),
  requested: whole('those whose redaction was requested, by it or by others: nothing of them is shown', 12),
  done: whole('those of them that have nothing private left', 7),
  held: submissionIds('those that a legal hold keeps'),
  failed: submissionIds('those that could not be redacted'),
  createdAt: Time,
  endedAt: nullable(time('when it was done', times.decided)),
});
export type SubjectRedaction = Of<typeof SubjectRedaction>;
export const SubjectRedactionPage = pageOf(SubjectRedaction);
