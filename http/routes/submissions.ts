import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { type Recorded, unlessRedacted } from '../../kernel/event.ts';
import type { Mode } from '../../kernel/scope.ts';
import { searchedTerms } from '../../kernel/searchRanges.ts';
import { historyItem } from '../../projections/history.ts';
import { submissionAnswers } from '../../projections/submissionAnswers.ts';
import type { submissionAsOf } from '../../projections/submissionFromLog.ts';
import type { submissionQueries } from '../../projections/submissions.ts';
import { memberWord } from '../../projections/submissionWords.ts';
import { submissionFilters } from '../../schemas/listFilters.ts';
import { at, cursor, limit, submissionId } from '../../schemas/parameters.ts';
import {
  SubmissionDetail,
  type SubmissionEventItem,
  SubmissionEventPage,
  SubmissionPage,
  SubmissionResult,
} from '../../schemas/submissions.ts';
import { envelope, givenFilters, pageOfRows, readCursor } from '../engine/request/paging.ts';
import { entityTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { visibleDocument } from './caller.ts';
import type { createDownloads } from './downloads.ts';

type SubmissionPorts = Readonly<{
  submissions: ReturnType<typeof submissionQueries>;
  asOf: ReturnType<typeof submissionAsOf>;
  downloadUrl: ReturnType<typeof createDownloads>;
  batchIdOf(companyId: string, mode: Mode, batchRef: string): string;
}>;

/** Submissions of the company and mode, whichever of its keys made them (visibility-3). */
export const submissionRoutes = ({
  submissions,
  asOf,
  downloadUrl,
  batchIdOf,
}: SubmissionPorts): readonly Route[] => {
  const find = visibleDocument(submissions.find);
  return [
    route({
      name: 'listSubmissions',
      summary: "List the company's submissions, newest first",
      description:
        'Filters are combined. A row has the extracted data; the rest is in the submission itself.',
      method: 'GET',
      path: '/api/v1/submissions',
      access: 'submissions.read',
      query: { ...submissionFilters, cursor, limit },
      answers: { 200: SubmissionPage },
    })({
      run: async ({ caller: { companyId, mode }, query: { cursor, limit, ...filters } }) => {
        const { q, metadata, workflow: slug, batchRef, fraudStatus: ofFraud, ...equal } = filters;
        const words = [
          ...(q === null ? [] : searchedTerms(q).terms),
          ...(metadata === null ? [] : [[memberWord(metadata)]]),
        ];
        const scope = { companyId, mode };
        const where = {
          ...scope,
          ...givenFilters({ slug, ...equal, batchId: batchRef && batchIdOf(companyId, mode, batchRef) }),
          // The query says `null` for a submission that has no fraud status (fraud-26).
          ...(ofFraud === null ? {} : { fraudStatus: ofFraud === 'null' ? null : ofFraud }),
        };
        const list = { list: 'submissions', ...scope, ...filters };
        const body = await pageOfRows({ cursor, limit }, list, (...page) =>
          submissions.rows(where, ...page, words),
        );
        return { status: 200, body };
      },
    }),
    route({
      name: 'getSubmission',
      summary: 'Get a submission with its files, fraud matches and history',
      description: 'The current state, or with `at` the state at that point.',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}',
      access: 'submissions.read',
      parameters: { submissionId },
      answers: { 200: SubmissionDetail },
      query: { at },
      headers: ['ETag'],
    })({
      find: async ({ caller, parameters, query }) => {
        const present = query.at && (await find({ caller, parameters }));
        const past = present && query.at && (await asOf.at(present, query.at));
        const stored = query.at
          ? past && submissionAnswers.detail(past)
          : await submissions.answer('detail', parameters.submissionId);
        const fill = { urlOf: downloadUrl, labels: submissions.labels };
        return stored ? ownDetail(stored, `${caller.companyId} ${caller.mode}`, fill) : null;
      },
      run: async ({ found: { revision, body } }) => ({ status: 200, headers: entityTag(revision), body }),
    }),
    route({
      name: 'getSubmissionResult',
      summary: 'Get what was read of each field of a submission, and where',
      description:
        'The `result` of its job, for everyone who may see the submission. The current one, or with `at` the one at that point.',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}/result',
      access: 'submissions.read',
      parameters: { submissionId },
      answers: { 200: SubmissionResult },
      query: { at },
      headers: ['ETag'],
    })({
      find: async ({ caller, parameters, query }) => {
        const present = await find({ caller, parameters });
        return query.at && present ? asOf.at(present, query.at) : present;
      },
      run: async ({ found: { id, revision, submission } }) => ({
        status: 200,
        headers: entityTag(revision),
        body: { submissionId: id, result: unlessRedacted(submission.result) },
      }),
    }),
    route({
      name: 'listSubmissionEvents',
      summary: 'List the events of a submission, oldest first',
      description: 'Each with its public details and who caused it; events are never changed.',
      method: 'GET',
      path: '/api/v1/submissions/{submissionId}/events',
      access: 'submissions.read',
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

type Fill = Readonly<{
  urlOf: SubmissionPorts['downloadUrl'];
  labels: SubmissionPorts['submissions']['labels'];
}>;

/**
 * A detail as it is sent (`submissionAnswers`) with its download addresses and the labels of what it
 * resembles, null for another caller.
 */
const ownDetail = async (stored: string, caller: string, { urlOf, labels }: Fill) => {
  const [scope, revision, ...parts] = stored.split('\n');
  if (scope !== caller) return null;
  const isFile = (part: string): boolean => part.startsWith('{');
  const idOf = (part: string): string | null => JSON.parse(part) as string | null;
  const missing = parts.filter((_, n) => n % 2 === 1);
  const labelOf = await labels(missing.filter((part) => !isFile(part)).map(idOf));
  const fillIn = async (part: string) => (isFile(part) ? await urlOf(part) : labelOf(idOf(part)));
  const filled = parts.map(async (part, n) => (n % 2 === 1 ? JSON.stringify(await fillIn(part)) : part));
  return { revision: Number(revision), body: Buffer.from((await Promise.all(filled)).join('')) };
};

const eventItem = (event: Recorded<SubmissionEvent>): SubmissionEventItem => {
  const { actor, requestId = null, $causationId: causation } = event.metadata;
  const { type, occurredAt, details } = historyItem(event);
  return { revision: event.revision, type, occurredAt, actor, requestId, causation, details };
};
