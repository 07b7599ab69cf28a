import type { Me } from '../../schemas/identity.ts';
import { matchPath } from '../app/router.ts';
import type { ScreenProps } from '../app/screenProps.ts';
import { onRows } from '../screens/submissions/list.ts';
import { Batch, Batches, Deliveries, Delivery, Queue, Submissions } from '../screens/work.ts';
import { texts } from '../texts.ts';
import type { Load } from './loaded.tsx';

/** A screen; `nav` is its entry in the navigation, absent where others lead to it. */
type ScreenEntry = Readonly<{
  path: string;
  /** What its person must be permitted. */
  permission: Me['permissions'][number];
  /** Whether it is about the data of one company, which a super_admin chooses first. */
  ofCompany?: true;
  nav?: string;
  /** Whether it is about the platform: its entry leads out of the company that was chosen. */
  ofPlatform?: true;
  load: Load<ScreenProps>;
}>;

// A module for each screen would take a twentieth more; one more for those that most begin with, a round
// trip. That of a submission is loaded when a list that leads to it shows its rows: the first screen has
// little time on a slow line.
type Administration = typeof import('../screens/administration.ts');
const submission = async () => (await import('../screens/submission/submission.tsx')).default;
const privacy = async () => (await import('../screens/privacy/privacy.tsx')).default;
const evaluations = async () => (await import('../screens/evaluations/evaluations.tsx')).default;
const work = (screen: Awaited<ReturnType<Load<ScreenProps>>>) => async () => screen;
const administration = (name: keyof Administration) => async () =>
  (await import('../screens/administration.ts'))[name];

// Where it fails the screen says so, once it is opened.
onRows(() => submission().catch(() => undefined));

/** The screens, in the order of the navigation. */
export const screens: readonly ScreenEntry[] = [
  {
    path: '/queue',
    permission: 'submissions.read',
    ofCompany: true,
    nav: texts.queue.title,
    load: work(Queue),
  },
  {
    path: '/submissions',
    permission: 'submissions.read',
    ofCompany: true,
    nav: texts.submissions.title,
    load: work(Submissions),
  },
  {
    path: '/submissions/{id}',
    permission: 'submissions.read',
    ofCompany: true,
    load: submission,
  },
  {
    path: '/batches',
    permission: 'submissions.read',
    ofCompany: true,
    nav: texts.batches.title,
    load: work(Batches),
  },
  {
    path: '/batches/{id}',
    permission: 'submissions.read',
    ofCompany: true,
    load: work(Batch),
  },
  {
    path: '/deliveries',
    permission: 'deliveries.read',
    ofCompany: true,
    nav: texts.deliveries.title,
    load: work(Deliveries),
  },
  {
    path: '/deliveries/{id}',
    permission: 'deliveries.read',
    ofCompany: true,
    load: work(Delivery),
  },
  {
    path: '/figures',
    permission: 'figures.read',
    ofCompany: true,
    nav: texts.figures.title,
    load: administration('Figures'),
  },
  {
    path: '/evaluations',
    permission: 'workflows.evaluate',
    ofCompany: true,
    nav: texts.evaluations.title,
    load: evaluations,
  },
  {
    path: '/evaluations/{id}',
    permission: 'workflows.evaluate',
    ofCompany: true,
    load: evaluations,
  },
  {
    path: '/activity',
    permission: 'activity.read',
    ofCompany: true,
    nav: texts.activity.title,
    load: administration('Activity'),
  },
  {
    path: '/people',
    permission: 'people.read',
    nav: texts.people.title,
    load: administration('People'),
  },
  {
    path: '/keys',
    permission: 'keys.read',
    nav: texts.apiKeys.title,
    load: administration('Keys'),
  },
  {
    path: '/endpoints',
    permission: 'endpoints.read',
    ofCompany: true,
    nav: texts.endpoints.title,
    load: administration('Endpoints'),
  },
  {
    path: '/privacy',
    permission: 'submissions.redact',
    ofCompany: true,
    nav: texts.privacy.title,
    load: privacy,
  },
  {
    path: '/companies',
    permission: 'companies.manage',
    ofPlatform: true,
    nav: texts.companies.title,
    load: administration('Companies'),
  },
  {
    path: '/companies/{id}/log-in',
    permission: 'logIn.read',
    load: administration('CompanyLogIn'),
  },
  {
    path: '/workflows',
    permission: 'workflows.inspect',
    nav: texts.workflows.title,
    load: administration('Workflows'),
  },
  {
    path: '/workflows/{slug}',
    permission: 'workflows.inspect',
    load: administration('Workflow'),
  },
  {
    path: '/workflows/{slug}/edit',
    permission: 'workflows.manage',
    load: administration('WorkflowEditor'),
  },
  {
    path: '/new-workflow',
    permission: 'workflows.manage',
    load: administration('WorkflowEditor'),
  },
  {
    path: '/operations',
    permission: 'operations.manage',
    nav: texts.operations.title,
    load: administration('Operations'),
  },
  {
    path: '/sessions',
    permission: 'own.sessions',
    load: administration('Sessions'),
  },
];

/** Where a person begins: who takes what waits, at the queue. */
export const startOf = ({ permissions }: Me): string =>
  permissions.includes('submissions.claim') ? '/queue' : '/submissions';

/** The screen at a path, and the parameters of its path; null where there is none. */
export const screenAt = (path: string) => {
  for (const screen of screens) {
    const parameters = matchPath(screen.path, path);
    if (parameters) return { screen, parameters };
  }
  return null;
};
