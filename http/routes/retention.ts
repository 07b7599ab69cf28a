import type { administer } from '../../commands/administer.ts';
import { noRetention } from '../../domain/retention.ts';
import type { Clock } from '../../kernel/clock.ts';
import { pick } from '../../kernel/pick.ts';
import type { DueDocument, retainedQueries } from '../../projections/retained.ts';
import { companyId, cursor, limit } from '../../schemas/parameters.ts';
import { ChangeRetention, CompanyRetention, RetentionDue } from '../../schemas/retention.ts';
import { pageOf } from '../engine/request/paging.ts';
import { entityTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { type CurrentCompany, commandContext, visibleCompany } from './caller.ts';

type RetentionPorts = ReturnType<typeof retainedQueries> &
  Readonly<{
    clock: Clock;
    current: CurrentCompany;
    changeRetention: ReturnType<typeof administer>['changeRetention'];
  }>;

/** How long what a company has sent is kept (retention-1), and what is due by that (retention-5). */
export const retentionRoutes = (ports: RetentionPorts): readonly Route[] => {
  const { current, changeRetention, clock, due, count } = ports;
  const common = { access: 'retention.manage', parameters: { companyId } } as const;
  const path = '/api/v1/companies/{companyId}/retention';
  const find = visibleCompany(current);
  return [
    route({
      ...common,
      name: 'getRetention',
      summary: 'Get for how long what a company has sent is kept',
      description: 'For ever unless somebody has said otherwise.',
      method: 'GET',
      path,
      answers: { 200: CompanyRetention },
      headers: ['ETag'],
    })({
      find,
      run: async ({ found: { retention, revision } }) => ({
        status: 200,
        headers: entityTag(revision),
        body: retention,
      }),
    }),
    route({
      ...common,
      name: 'changeRetention',
      summary: 'Change for how long what a company has sent is kept',
      description:
        'Where `isEnforced` is true the service redacts, for ever, what has been at its end for longer than that: as a redaction by a person does, the longest due first. What is under a legal hold is kept. See with `false` what is due before.',
      method: 'PUT',
      path,
      body: ChangeRetention,
      answers: { 200: CompanyRetention },
      conditional: true,
      headers: ['ETag'],
    })({
      find,
      run: async ({ found, guard, body, ...request }) => {
        const { submissionDays = null, sessionDays = null, isEnforced } = body;
        const { workflows = noRetention.workflows, perDay = noRetention.perDay } = body;
        const retention = { submissionDays, sessionDays, workflows, perDay, isEnforced };
        const context = commandContext(request);
        const { position, revision } = await changeRetention(found.id, retention, context, guard);
        return { status: 200, headers: entityTag(revision), position, body: retention };
      },
    }),
    route({
      ...common,
      name: 'listRetentionDue',
      summary: 'List what is due now by the retention of a company, and count it',
      description:
        'The longest due first, of live and of test data. Nothing of it is redacted while the retention is not enforced.',
      method: 'GET',
      path: `${path}/due`,
      query: { cursor, limit },
      answers: { 200: RetentionDue },
    })({
      find,
      run: async ({ found: { id, retention }, query }) => {
        const of = { companyId: id, retention, now: clock.now() };
        const read = (size: number, after: Parameters<typeof due>[2]) => due(of, size, after);
        const page = await pageOf(query, { list: 'retention', companyId: id }, read, dueAs);
        return { status: 200, body: { ...page, counts: await count(of) } };
      },
    }),
  ];
};

const dueAs = ({ id: submissionId, slug: workflow, ...document }: DueDocument) => ({
  ...{ submissionId, workflow },
  ...pick(document, 'kind', 'mode', 'endedAt', 'dueSince', 'isHeld'),
});
