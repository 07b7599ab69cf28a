import {
  type ActivityEvent,
  type ActivitySubject,
  type ActivityType,
  activityEvents,
  activityOf,
  companiesOf,
  modesOf,
} from '../domain/activity.ts';
import type { Actor } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { activityFilters } from '../schemas/listFilters.ts';
import { MAX_COUNTED } from '../schemas/reviewQueue.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type Conditions, conditionsOn, type FilterPaths } from './engine/listFilters.ts';
import type { After } from './engine/pages.ts';
import { type Fold, foldAlike, indexOn, newestBy, type Projection } from './engine/projection.ts';

/** What somebody did: nothing of it is private. `createdAt`: when, in ISO 8601. */
export type ActivityDocument = Readonly<{
  id: string;
  eventId: string;
  companyId: string;
  mode: Mode;
  type: ActivityType;
  actor: Actor;
  subject: ActivitySubject;
  createdAt: string;
}>;

const newestFirst = newestBy('createdAt');
const scope = ['companyId', 'mode'] as const;

const row: Fold<ActivityDocument, ActivityEvent> = (_document, event, id) => {
  // A fold sees one event, which may be of several companies and modes: the key says of which.
  const [companyId = '', mode] = id.split('/');
  return {
    ...{ id, eventId: event.id, companyId, mode: mode as Mode },
    ...activityOf(event),
    actor: event.metadata.actor,
    createdAt: event.metadata.at,
  };
};

/** What people, keys and the service did in each company, a document for each event. */
export const activity: Projection<ActivityDocument, ActivityEvent> = {
  name: 'activity',
  version: 1,
  prefixes: [
    ...['submission-', 'evidenceExport-', 'subjectRedaction-', 'webhookEndpoint-', 'workflow-', 'company-'],
    ...['evaluation-', 'apiKey-', 'invitation-', 'user-', 'logIn-'],
  ],
  indexes: [
    indexOn('company', scope, newestFirst),
    indexOn('type', [...scope, 'type'], newestFirst),
    indexOn('actor', [...scope, 'actor.id'], newestFirst),
    // What is rare of somebody who has done most of it would be looked for in all of it.
    indexOn('actorType', [...scope, 'actor.id', 'type'], newestFirst),
    indexOn('subject', [...scope, 'subject.id'], newestFirst),
  ],
  keys: (event) =>
    companiesOf(event).flatMap((companyId) =>
      modesOf(event).map((mode) => `${companyId}/${mode}/${event.id}`),
    ),
  on: foldAlike(activityEvents, row),
};

const filterPaths = { type: 'type', actor: 'actor.id', subject: 'subject.id' } as const satisfies FilterPaths<
  ActivityDocument,
  typeof activityFilters
>;
const paths = { companyId: 'companyId', mode: 'mode', ...filterPaths } as const;

type ActivityFilters = Conditions<typeof paths> & Readonly<{ companyId: string; mode: Mode }>;
const whereOf = conditionsOn(paths);

/** Whose decisions, and from when on in ISO 8601. */
type DecidedSince = Readonly<{ actor: string; createdAfter: string }>;

const DECISIONS = [
  'submission.first_decision_made',
  'submission.approved',
  'submission.rejected',
  'submission.cancelled',
] as const satisfies readonly ActivityType[];

/** The activity of a company and mode, newest first. */
export const activityQueries = (models: ReadModels) => ({
  list: (filters: ActivityFilters, limit: number, after: After): Promise<ResultPage<ActivityDocument>> =>
    models.page('activity', { where: whereOf(filters), sort: newestFirst, limit, after }),

  /** How many decisions somebody has made since a time, up to `MAX_COUNTED` (figures-4). */
  countDecisions: async (by: Pick<ActivityFilters, 'companyId' | 'mode'> & DecidedSince): Promise<number> => {
    const counts = await Promise.all(
      DECISIONS.map((type) => models.count('activity', whereOf({ ...by, type }), MAX_COUNTED)),
    );
    return Math.min(
      MAX_COUNTED,
      counts.reduce((sum, count) => sum + count, 0),
    );
  },
});
