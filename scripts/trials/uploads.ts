import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../cli/table.ts';
import { createClient, type IntakeClient, type SessionCreated } from '../../client/index.ts';
import type { Server } from '../demo/intake.ts';
import { put, putPart, type Slot, sendForm } from './sendUploads.ts';
import { admitted, type Folder, folderOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'uploads that are too large, come too late, or are abandoned, and what stays of them on the disk';

const SLUG = 'uploads-trial';
const MIB = 1_048_576;
/** What is sent where the version allows 1 MiB: the disk of an operator who tries this must hold it. */
const TOO_LARGE = 64 * MIB;
const ABANDONED = 5;
const TTL_SECONDS = 8;
/** After their expiry: several sweeps. */
const SWEPT_MS = 6_000;

/** True when the store refuses what it must, and nothing stays of what was never submitted. */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const folder = folderOf(options);
  const settings = { ...folder.settings, SESSION_TTL: `${TTL_SECONDS}s`, SWEEP: '1s' };
  try {
    return await whileServed(settings, (server) => attempt(server, folder));
  } finally {
    folder.remove();
  }
};

type Row = Readonly<{ what: string; answer: string; kept: number; isGood: boolean }>;

const attempt = async (server: Server, { path, settings }: Folder): Promise<boolean> => {
  const clientOf = async (definition: Readonly<{ slug: string }>): Promise<IntakeClient> =>
    createClient({ url: server.url, key: (await admitted(settings, path, definition)).key });
  const api = await clientOf(workflow);
  const large = await clientOf(workflowInParts);
  const stored = () => bytesIn(join(path, 'objects'));
  const rows: Row[] = [];
  const measure = async (what: string, act: () => Promise<string>, isRight: (answer: string) => boolean) => {
    const before = stored();
    const answer = await act();
    const kept = Math.max(0, stored() - before);
    rows.push({ what, answer, kept, isGood: isRight(answer) && kept === 0 });
  };
  await measure(
    '64 MiB where 1 MiB is allowed',
    async () => put(slotOf(await open(api)), TOO_LARGE),
    (answer) => answer === '400',
  );
  await measure(
    'a PUT after a cancel',
    () => afterCancel(api, (session) => put(slotOf(session), 1_000)),
    (answer) => answer === '403',
  );
  await measure(
    'a PUT that a cancel overtakes',
    () => overtaken(api),
    (answer) => answer === '403',
  );
  const submitted = await submit(api);
  await measure(
    'a PUT after a submit',
    () => put(slotOf(submitted), 1_000),
    (answer) => answer === '403',
  );
  await measure(
    'a form of 64 MiB where 1 MiB is allowed',
    async () => sendForm(await open(api, FORM), TOO_LARGE),
    (answer) => answer === '400',
  );
  await measure(
    'a form after a cancel',
    () => afterCancel(api, (session) => sendForm(session, 1_000), FORM),
    (answer) => answer === '403',
  );
  // What the store notes of a file in parts stays until the session has expired.
  const inParts = await open(large, IN_PARTS);
  await measure(
    'a part of a byte more than is signed',
    () => putPart(inParts, 1),
    (answer) => answer === '403',
  );
  await cancel(inParts, large);
  await measure(
    'a part after a cancel',
    () => putPart(inParts),
    (answer) => answer === '403',
  );
  await measure(
    `${ABANDONED} abandoned uploads of 1 MiB and a part, ${SWEPT_MS / 1_000} s after their expiry`,
    () => abandon(api, large),
    () => true,
  );
  show(rows);
  return rows.every(({ isGood }) => isGood);
};

const show = (rows: readonly Row[]): void => {
  const columns = {
    attempt: ({ what }: Row) => what,
    answer: ({ answer }: Row) => answer,
    'bytes that stay': ({ kept }: Row) => kept,
    'goal: refused, 0 bytes': ({ isGood }: Row) => (isGood ? 'reached' : 'MISSED'),
  };
  process.stdout.write(`${table(rows, columns)}\n`);
};

const SLUG_IN_PARTS = `${SLUG}-in-parts`;

const upload = { minFiles: 1, maxFiles: 1, acceptedFormats: ['application/json'], fileLabels: ['data'] };
const workflow = {
  slug: SLUG,
  name: 'Uploads',
  upload: { ...upload, maxFileSizeMb: 1 },
  outputSchema: [{ name: 'total', required: true, type: 'number' }],
  processing: { extractor: 'json', review: 'auto' },
};
const workflowInParts = { ...workflow, slug: SLUG_IN_PARTS, upload: { ...upload, maxFileSizeMb: 200 } };

/** How a session is opened, beside the default: by which workflow, and with which body. */
type Opening = Readonly<{ slug: string; body: Body }>;
type Body = Readonly<{ uploadMethod?: 'POST'; files?: { mimeType: string; fileSize: number }[] }>;
const PUT: Opening = { slug: SLUG, body: {} };
const FORM: Opening = { slug: SLUG, body: { uploadMethod: 'POST' } };
const IN_PARTS: Opening = {
  slug: SLUG_IN_PARTS,
  body: { files: [{ mimeType: 'application/json', fileSize: 150 * MIB }] },
};

const open = (api: IntakeClient, { slug, body }: Opening = PUT): Promise<SessionCreated> =>
  api.post('/api/v1/workflows/{slug}/sessions', { path: { slug }, body });
const cancel = ({ submissionId }: SessionCreated, api: IntakeClient) =>
  api.post('/api/v1/submissions/{submissionId}/cancel', { path: { submissionId } });

const slotOf = ({ uploads: [slot] }: SessionCreated): Slot => ({
  url: slot?.url ?? '',
  headers: { 'content-type': 'application/json' },
});

const afterCancel = async (
  api: IntakeClient,
  send: (session: SessionCreated) => Promise<string>,
  opening = PUT,
): Promise<string> => {
  const session = await open(api, opening);
  await cancel(session, api);
  return send(session);
};

const overtaken = async (api: IntakeClient): Promise<string> => {
  const session = await open(api);
  return put(slotOf(session), 1_000, () => cancel(session, api));
};

const submit = async (api: IntakeClient): Promise<SessionCreated> => {
  const session = await open(api);
  const body = '{"total":1}';
  const { url, headers } = slotOf(session);
  await fetch(url, { method: 'PUT', headers, body });
  const path = { slug: SLUG, sessionId: session.sessionId };
  await api.post('/api/v1/workflows/{slug}/sessions/{sessionId}/submit', { path });
  return session;
};

const abandon = async (api: IntakeClient, large: IntakeClient): Promise<string> => {
  const answers: string[] = [];
  for (let sent = 0; sent < ABANDONED; sent += 1) answers.push(await put(slotOf(await open(api)), MIB));
  answers.push(await putPart(await open(large, IN_PARTS)));
  await sleep(TTL_SECONDS * 1_000 + SWEPT_MS);
  return [...new Set(answers)].join();
};

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
