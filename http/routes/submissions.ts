import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Mode } from '../../kernel/scope.ts';
import { historyItem } from '../../projections/history.ts';
import { submissionDetail } from '../../projections/submissionAnswers.ts';
import type { submissionAsOf } from '../../projections/submissionFromLog.ts';
import type { submissionQueries } from '../../projections/submissions.ts';
import { at, cursor, limit, submissionFilters, submissionId } from '../../schemas/parameters.ts';
import {
  SubmissionDetail,
  type SubmissionEventItem,
  SubmissionEventPage,
  SubmissionPage,
} from '../../schemas/submissions.ts';
import { envelope, givenFilters, joinedPageOf, type ReadRows, readCursor } from '../engine/request/paging.ts';
import { entityTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { visibleDocument } from './caller.ts';
import type { Downloads } from './downloads.ts';

type SubmissionPorts = Readonly<{
  submissions: ReturnType<typeof submissionQueries>;
  asOf: ReturnType<typeof submissionAsOf>;
  downloads: Downloads;
  batchIdOf(companyId: string, mode: Mode, batchRef: string): string;
}>;

/** Submissions of the company and mode, whichever of its keys made them (visibility-3). */
export const submissionRoutes = ({
  submissions,
  asOf,
  downloads,
  batchIdOf,
}: SubmissionPorts): readonly Route[] => {
  const find = visibleDocument(submissions.find);
  return [
    route({
      name: 'listSubmissions',
      summary: "List the company's submissions, newest first",
      method: 'GET',
      path: '/api/v1/submissions',
      access: 'company',
      query: { ...submissionFilters, cursor, limit },
      answers: { 200: SubmissionPage },
    })({
      run: async ({ caller: { companyId, mode }, query: { cursor, limit, ...filters } }) => {
        const { workflow: slug, batchRef, fraudStatus: ofFraud, ...equal } = filters;
        const scope = { companyId, mode };
        const where = {
          ...scope,
          ...givenFilters({ slug, ...equal, batchId: batchRef && batchIdOf(companyId, mode, batchRef) }),
          // The query says `null` for a submission that has no fraud status (fraud-26).
          ...(ofFraud === null ? {} : { fraudStatus: ofFraud === 'null' ? null : ofFraud }),
        };
        const list = { list: 'submissions', ...scope, ...filters };
        const read: ReadRows = (limit, after) => submissions.rows(where, limit, after);
        return { status: 200, body: await joinedPageOf({ cursor, limit }, list, read) };
      },
    }),
    route({
      name: 'getSubmission',
      summary: 'Get a submission with its files, fraud matches and history',
      description: 'The current state, or with `at` the state at that point.',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}',
      access: 'company',
      parameters: { submissionId },
      answers: { 200: SubmissionDetail },
      query: { at },
      headers: ['ETag'],
    })({
      find: async ({ caller, parameters, query }) => {
        if (query.at === null) {
          const made = await submissions.answer('detail', parameters.submissionId);
          const sent = made && detailOf(made, `${caller.companyId} ${caller.mode}`, downloads.signed);
          if (sent) return sent;
        }
        const present = await find({ caller, parameters });
        const found = present && query.at ? await asOf.at(present, query.at) : present;
        if (!found) return null;
        const { revision, submission } = found;
        return { revision, body: submissionDetail(found, await downloads.files(submission)) };
      },
      run: async ({ found: { revision, body } }) => ({ status: 200, headers: entityTag(revision), body }),
    }),
    route({
      name: 'listSubmissionEvents',
      summary: 'List the events of a submission, oldest first',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}/events',
      access: 'company',
      parameters: { submissionId },
      query: { cursor, limit },
      answers: { 200: SubmissionEventPage },
    })({
      find,
      run: async ({ found, query }) => {
        const scope = { list: 'submissionEvents', submissionId: found.id };
        const [after = -1] = readCursor(query.cursor, scope, 1) ?? [];
        const later = (await asOf.events(found)).filter(({ revision }) => revision > Number(after));
        const page = later.slice(0, query.limit);
        const next = later.length > page.length ? [page.at(-1)?.revision ?? null] : null;
        return { status: 200, body: envelope(page.map(eventItem), next, scope) };
      },
    }),
  ];
};

/** A stored detail with its download addresses; null for another caller, or where an address must be signed. */
const detailOf = (made: Buffer, caller: string, signed: Downloads['signed']) => {
  const [scope, revision, ...parts] = made.toString().split('\n');
  if (scope !== caller) return null;
  for (let n = 1; n < parts.length; n += 2) {
    const url = signed(parts[n] ?? '');
    if (url === null) return null;
    parts[n] = JSON.stringify(url);
  }
  return { revision: Number(revision), body: Buffer.from(parts.join('')) };
};

const eventItem = (event: Recorded<SubmissionEvent>): SubmissionEventItem => {
  const { actor, requestId = null, $causationId: causation } = event.metadata;
  const { type, occurredAt, details } = historyItem(event);
  return { revision: event.revision, type, occurredAt, actor, requestId, causation, details };
};
