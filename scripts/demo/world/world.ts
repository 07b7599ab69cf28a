import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IntakeClient, Job } from '../../../client/index.ts';
import type { Received } from '../../receiver.ts';
import { intake, type Settings } from '../intake.ts';
import type { Guests } from '../logInPage.ts';
import { invite, invitee, join as joins, type Person, type Place } from '../people.ts';
import { CLAIMED, DECIDED_ONCE, type Paper, papers } from './papers.ts';
import { invoiceVersions } from './workflows.ts';

const BEN = invitee('Ben Okafor', 'reviewer');
const OLGA = invitee('Olga Lind', 'org_admin');
const AMIR = invitee('Amir Haddad', 'auditor');
const NORA = invitee('Nora Vance', 'reviewer');

/** Where webhooks are refused, as by a system that is being repaired. */
const UNHEARD = '/closed';

/** What the demo's receiver answers: 503 to what goes there. */
export const answerOf = ({ path }: Received) => ({ status: path === UNHEARD ? 503 : 200 });

/** Settings under which the world is complete within its first minute. */
export const WORLD_SETTINGS = { BATCH_GRACE: '2s', SWEEP: '1s', WEBHOOK_RETRY_DELAYS: '20s,5m,30m' } as const;

/** Publishes what the world needs beside receipts. Before the start of the service, which is quicker. */
export const publishInvoices = async (
  settings: Settings,
  companyId: string,
  folder: string,
): Promise<void> => {
  const path = join(folder, 'invoice.workflow.json');
  for (const version of invoiceVersions) {
    writeFileSync(path, JSON.stringify(version));
    await intake(settings, 'workflow', 'publish', path);
  }
  await intake(settings, 'workflow', 'assign', 'invoice', '--company', companyId);
};

/** Those who are there from the beginning: an operator and a reviewer. */
export type Founders = Readonly<{ operator: Person; reviewer: Person }>;

/**
 * Fills a company with what the console is for: people of each role, and documents that wait for them. `api`
 * and `receiver` are those of the company's own program.
 */
export const fillWorld = async (
  place: Place,
  { operator, reviewer }: Founders,
  api: IntakeClient,
  receiver: string,
): Promise<Guests> => {
  const ben = await joins(place, operator, BEN);
  const olga = await joins(place, operator, OLGA);
  const amir = await joins(place, olga, AMIR);
  const sent = await Promise.all(papers.map((paper) => sendPaper(api, paper, receiver)));
  const pathOf = (wanted: string) => {
    const index = papers.findIndex(({ name }) => name === wanted);
    return { submissionId: sent[index]?.submissionId ?? '' };
  };
  await ben.api.post('/api/v1/submissions/{submissionId}/approve', {
    path: pathOf(DECIDED_ONCE),
    body: { comment: 'as ordered' },
  });
  await ben.api.post('/api/v1/submissions/{submissionId}/claim', { path: pathOf(CLAIMED) });
  const { url: invitation } = await invite(olga, NORA);
  return {
    people: [
      { person: reviewer, about: 'Reviews what the machine was not sure of.' },
      { person: olga, about: 'Reviews, and manages people, keys and webhooks of the company.' },
      { person: amir, about: 'Sees everything, decides nothing, exports evidence.' },
      { person: operator, about: 'Runs the service, for all companies.' },
    ],
    invitation,
  };
};

const MAX_WAIT_MS = 120_000;

/** Sends a document, and gives its job once the machine is done with it. */
const sendPaper = async (
  api: IntakeClient,
  { name, slug, mimeType, draw, batchRef, isUnheard = false }: Paper,
  receiver: string,
): Promise<Job> => {
  const webhookUrl = `${receiver}${isUnheard ? UNHEARD : '/webhooks'}`;
  const input = { clientSubmissionId: name, webhookUrl, ...(batchRef !== undefined && { batchRef }) };
  const { sessionId } = await api.submit(slug, [{ name, type: mimeType, content: await draw() }], input);
  return api.wait(sessionId, { timeoutMs: MAX_WAIT_MS });
};
