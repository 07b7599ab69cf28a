import type { redactSubject } from '../../commands/redactSubject.ts';
import { actorText } from '../../kernel/event.ts';
import { pick } from '../../kernel/pick.ts';
import {
  begun,
  type SubjectRedactionDocument,
  type subjectRedactionQueries,
} from '../../projections/subjectRedactions.ts';
import { cursor, limit, redactionId } from '../../schemas/parameters.ts';
import { RedactSubject, SubjectRedaction, SubjectRedactionPage } from '../../schemas/subjectRedaction.ts';
import { actorOf } from '../engine/access/caller.ts';
import { pageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';

type SubjectRedactionPorts = ReturnType<typeof subjectRedactionQueries> &
  Readonly<{ redact: ReturnType<typeof redactSubject> }>;

/** The redaction of all submissions of a person (subjects-6). */
export const subjectRedactionRoutes = (ports: SubjectRedactionPorts): readonly Route[] => {
  const { redact, find, listOf } = ports;
  const common = { access: 'submissions.redact' } as const;
  const path = '/api/v1/redactions';
  return [
    route({
      ...common,
      name: 'redactSubject',
      summary: 'Remove what is private of all submissions of a person, for ever',
      description:
        'The person is whom the client named, in `metadata` or as `clientSubmissionId`. The submissions that are there now are redacted one by one, as a redaction of each would do it; one under a legal hold is kept and listed. The answer is the redaction to watch. What names the person is not kept.',
      method: 'POST',
      path,
      body: RedactSubject,
      answers: { 202: SubjectRedaction },
    })({
      check: ({ body: { clientSubmissionId, metadata } }) =>
        clientSubmissionId || metadata
          ? []
          : [{ pointer: '/metadata', detail: 'must be there, or clientSubmissionId must' }],
      run: async ({ body, ...request }) => {
        const { caller, reserved } = request;
        const { clientSubmissionId = null, metadata = null, reason, legalBasis, requestedBy = null } = body;
        const basis = { reason, legalBasis, requestedBy };
        const {
          request: made,
          position,
          at,
        } = await redact(
          pick(caller, 'companyId', 'mode'),
          { clientSubmissionId, metadata },
          basis,
          reserved.ulid,
          commandContext(request),
        );
        return { status: 202, position, body: answerOf(begun(made, actorOf(caller), at)) };
      },
    }),
    route({
      ...common,
      name: 'listSubjectRedactions',
      summary: 'List the redactions of all submissions of a person, newest first',
      description: 'Those of the company and mode, whoever requested them.',
      method: 'GET',
      path,
      query: { cursor, limit },
      answers: { 200: SubjectRedactionPage },
    })({
      run: async ({ caller, query }) => {
        const { companyId, mode } = caller;
        const read = (size: number, after: Parameters<typeof listOf>[3]) =>
          listOf(companyId, mode, size, after);
        const scope = { list: 'redactions', companyId, mode };
        return { status: 200, body: await pageOf(query, scope, read, answerOf) };
      },
    }),
    route({
      ...common,
      name: 'getSubjectRedaction',
      summary: 'Get a redaction of all submissions of a person: how far it is, and what is kept',
      description: 'It is `done` once nothing private is left of those that were requested.',
      method: 'GET',
      path: `${path}/{redactionId}`,
      parameters: { redactionId },
      answers: { 200: SubjectRedaction },
    })({
      find: async ({ caller, parameters }) => {
        const found = await find(parameters.redactionId);
        return found && found.companyId === caller.companyId && found.mode === caller.mode ? found : null;
      },
      run: async ({ found }) => ({ status: 200, body: answerOf(found) }),
    }),
  ];
};

const answerOf = (document: SubjectRedactionDocument): SubjectRedaction => ({
  redactionId: document.id,
  status: document.endedAt === null ? 'running' : 'done',
  ...pick(document, 'reason', 'legalBasis', 'requestedBy'),
  actor: actorText(document.actor),
  ...pick(document, 'total', 'requested', 'done', 'held', 'failed', 'createdAt', 'endedAt'),
});
