import { readdirSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../cli/table.ts';
import { createClient, type IntakeClient, type SessionCreated } from '../../client/index.ts';
import type { Server } from '../demo/intake.ts';
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
  const { key } = await admitted(settings, path, workflow);
  const api = createClient({ url: server.url, key });
  const stored = () => bytesIn(join(path, 'objects'));
  const rows: Row[] = [];
  const measure = async (what: string, act: () => Promise<string>, isRight: (answer: string) => boolean) => {
    const before = stored();
    const answer = await act();
    const kept = stored() - before;
    rows.push({ what, answer, kept, isGood: isRight(answer) && kept === 0 });
  };
  await measure(
    '64 MiB where 1 MiB is allowed',
    () => tooLarge(api),
    (answer) => answer === '400',
  );
  await measure(
    'a PUT after a cancel',
    () => afterCancel(api),
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
    () => put(submitted, 1_000),
    (answer) => answer === '403',
  );
  await measure(
    `${ABANDONED} abandoned uploads of 1 MiB, ${SWEPT_MS / 1_000} s after their expiry`,
    () => abandon(api),
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

const workflow = {
  slug: SLUG,
  name: 'Uploads',
  upload: {
    ...{ minFiles: 1, maxFiles: 1, acceptedFormats: ['application/json'], fileLabels: ['data'] },
    maxFileSizeMb: 1,
  },
  outputSchema: [{ name: 'total', required: true, type: 'number' }],
  processing: { extractor: 'json', review: 'auto' },
};

const open = (api: IntakeClient): Promise<SessionCreated> =>
  api.post('/api/v1/workflows/{slug}/sessions', { path: { slug: SLUG } });
const cancel = ({ submissionId }: SessionCreated, api: IntakeClient) =>
  api.post('/api/v1/submissions/{submissionId}/cancel', { path: { submissionId } });

/**
 * Puts so many bytes, some before `between` and the rest after it; gives the status, or how the connection
 * broke.
 */
const put = (
  { uploads }: SessionCreated,
  length: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string> =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': length };
    const sent = request(uploads[0]?.url ?? '', { method: 'PUT', headers });
    sent.on('response', (answer) => {
      answer.resume().on('end', () => resolve(`${answer.statusCode}`));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    const first = Math.ceil(length / 2);
    sent.write(Buffer.alloc(first, ' '), () =>
      between().then(
        () => sent.end(Buffer.alloc(length - first, ' ')),
        (error: Error) => sent.destroy(error),
      ),
    );
  });

const tooLarge = async (api: IntakeClient): Promise<string> => put(await open(api), TOO_LARGE);

const afterCancel = async (api: IntakeClient): Promise<string> => {
  const session = await open(api);
  await cancel(session, api);
  return put(session, 1_000);
};

const overtaken = async (api: IntakeClient): Promise<string> => {
  const session = await open(api);
  return put(session, 1_000, () => cancel(session, api));
};

const submit = async (api: IntakeClient): Promise<SessionCreated> => {
  const session = await open(api);
  const body = '{"total":1}';
  const [slot] = session.uploads;
  await fetch(slot?.url ?? '', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  const path = { slug: SLUG, sessionId: session.sessionId };
  await api.post('/api/v1/workflows/{slug}/sessions/{sessionId}/submit', { path });
  return session;
};

const abandon = async (api: IntakeClient): Promise<string> => {
  const answers: string[] = [];
  for (let sent = 0; sent < ABANDONED; sent += 1) answers.push(await put(await open(api), MIB));
  await sleep(TTL_SECONDS * 1_000 + SWEPT_MS);
  return [...new Set(answers)].join();
};

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
