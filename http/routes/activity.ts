import { pick } from '../../kernel/pick.ts';
import type { ActivityDocument, activityQueries } from '../../projections/activity.ts';
import { type Activity, ActivityPage } from '../../schemas/activity.ts';
import { activityFilters } from '../../schemas/listFilters.ts';
import { cursor, limit } from '../../schemas/parameters.ts';
import { givenFilters, pageOf, type ReadPage } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';

type ActivityPorts = Readonly<{ activity: ReturnType<typeof activityQueries> }>;

/** What people and keys did in the company, for who audits it (activity-1). */
export const activityRoutes = ({ activity }: ActivityPorts): readonly Route[] => [
  route({
    name: 'listActivity',
    summary: 'List what people and keys did in the company, newest first',
    description:
      'Log-ins and refused ones of people, changes of people, invitations, keys, webhook endpoints and workflows, decisions, redactions, and exports of evidence. Filters are combined.',
    method: 'GET',
    path: '/api/v1/activity',
    access: 'activity.read',
    query: { ...activityFilters, cursor, limit },
    answers: { 200: ActivityPage },
  })({
    run: async ({ caller, query: { cursor, limit, ...filters } }) => {
      const own = pick(caller, 'companyId', 'mode');
      const read: ReadPage<ActivityDocument> = (size, after) =>
        activity.list({ ...givenFilters(filters), ...own }, size, after);
      const scope = { list: 'activity', ...own, ...filters };
      return { status: 200, body: await pageOf({ cursor, limit }, scope, read, activityOf) };
    },
  }),
];

const activityOf = ({ eventId: id, createdAt: at, ...document }: ActivityDocument): Activity => ({
  id,
  at,
  ...pick(document, 'type', 'actor', 'subject'),
});
