import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { table } from '../../cli/table.ts';
import { createClient, type IntakeClient } from '../../client/index.ts';
import { isObject } from '../../kernel/changes.ts';
import { createTenant, executable, intake, type Settings } from '../demo/intake.ts';
import { samplePath } from '../demo/receipts.ts';
import { Misuse } from '../named.ts';
import { receiverSettings, startReceiver } from '../receiver.ts';
import { inReview, reviewed } from './inReview.ts';
import { settingsOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'a data folder of an older build (--before its dist/cli/intake.js) is served, rebuilt and exported by this one';

const SLUG = 'upgrade-trial';
/** A build takes the sample of its own release, from the folder of its executable. */
const SAMPLE = '../../scripts/samples/receipt.workflow.json';

/**
 * True when this build gives the same answers from the older build's folder, before and after a rebuild, but
 * for members that the older one did not have.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({ args: [...options], options: { before: { type: 'string' } } });
  if (!values.before) throw new Misuse('Name the older build: --before FOLDER/dist/cli/intake.js');
  const folder = mkdtempSync(join(tmpdir(), 'intake-upgrade-'));
  const receiver = await startReceiver();
  const now: Settings = {
    ...settingsOf(join(folder, 'data')),
    ...receiverSettings(receiver, folder),
    ...{ SESSION_TTL: '1h', BATCH_GRACE: '1s', SWEEP: '1s' },
  };
  const before: Settings = { ...now, INTAKE_EXECUTABLE: resolve(values.before) };
  try {
    return await compare(folder, before, now, `${receiver.url}/webhooks`);
  } finally {
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const compare = async (folder: string, before: Settings, now: Settings, webhookUrl: string) => {
  const definition = join(folder, 'workflow.json');
  writeFileSync(definition, JSON.stringify(reviewed(SLUG)));
  const tenant = await createTenant(before, 'Upgrade', definition);
  await intake(before, 'workflow', 'publish', join(dirname(executable(before)), SAMPLE));
  await intake(before, 'workflow', 'assign', 'receipt', '--company', tenant.companyId);
  const answers = (settings: Settings): Promise<Answers> =>
    whileServed(settings, ({ url }) => everyAnswer(url, tenant.key));
  await whileServed(before, ({ url }) => fill(createClient({ url, key: tenant.key }), webhookUrl));
  const first = await answers(before);
  const rows: Row[] = [differences('served', first, await answers(now))];
  await intake(now, 'projections', 'rebuild', '--all');
  rows.push(differences('served after a rebuild', first, await answers(now)));
  rows.push(await exported(folder, before, now, submissionsOf(first)));
  const columns = {
    'by this build': ({ what }: Row) => what,
    compared: ({ compared }: Row) => compared,
    different: ({ different }: Row) => different.join(', ') || 'none',
    'new members': ({ added }: Row) => added.join(', ') || 'none',
  };
  process.stdout.write(`${table(rows, columns)}\n`);
  return rows.every(({ different, compared }) => compared > 0 && different.length === 0);
};

type Answers = ReadonlyMap<string, unknown>;
type Row = Readonly<{
  what: string;
  compared: number;
  different: readonly string[];
  added: readonly string[];
}>;

const differences = (what: string, expected: Answers, actual: Answers): Row => {
  const added = new Set<string>();
  const different = [...new Set([...expected.keys(), ...actual.keys()])].filter(
    (path) => !isDeepStrictEqual(expected.get(path), known(expected.get(path), actual.get(path), added)),
  );
  return { what, compared: expected.size, different, added: [...added] };
};

/** An answer with the members that the older build's has; the names of its others go to `added`. */
const known = (expected: unknown, actual: unknown, added: Set<string>): unknown => {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((element, index) => known(expected[index], element, added));
  if (!isObject(expected) || !isObject(actual)) return actual;
  const kept = Object.entries(actual).filter(([name]) => {
    const isKnown = Object.hasOwn(expected, name);
    if (!isKnown) added.add(name);
    return isKnown;
  });
  return Object.fromEntries(kept.map(([name, value]) => [name, known(expected[name], value, added)]));
};

/** Something of everything: receipts, one of them twice, decisions, a batch, failures, webhooks. */
const fill = async (api: IntakeClient, webhookUrl: string): Promise<void> => {
  const receipt = (name: string) =>
    api.submit('receipt', [samplePath(name)], { webhookUrl, clientSubmissionId: name });
  const jobs = [
    await receipt('receipt.jpg'),
    await receipt('receipt.jpg'),
    await receipt('receipt-stained.png'),
    await receipt('receipt.workflow.json'),
  ];
  const more = (batchRef: string | null) => ({
    webhookUrl,
    metadata: { from: 'upgrade' },
    ...(batchRef === null ? {} : { batchRef }),
  });
  const inBatch = [await inReview(api, SLUG, more('upgrade')), await inReview(api, SLUG, more('upgrade'))];
  const alone = [await inReview(api, SLUG, more(null)), await inReview(api, SLUG, more(null))];
  const corrections = { note: 'seen by a person' };
  const [approved = '', rejected = ''] = inBatch;
  const [cancelled = ''] = alone;
  await api.post('/api/v1/submissions/{submissionId}/approve', {
    path: { submissionId: approved },
    body: { actor: 'trial', corrections },
  });
  await api.post('/api/v1/submissions/{submissionId}/reject', {
    path: { submissionId: rejected },
    body: { actor: 'trial', reason: 'not readable' },
  });
  await api.post('/api/v1/submissions/{submissionId}/cancel', {
    path: { submissionId: cancelled },
    body: { actor: 'trial', reason: 'sent twice' },
  });
  await api.post('/api/v1/workflows/{slug}/sessions', { path: { slug: SLUG }, body: more('pending') });
  for (const { sessionId } of jobs) await api.wait(sessionId);
  await resolveMatches(api);
  await until('the batch is completed', async () => {
    const { status } = await api.get('/api/v1/batches/{batchRef}', { path: { batchRef: 'upgrade' } });
    return status === 'completed';
  });
  await until('no delivery is pending', async () => {
    const { data } = await api.get('/api/v1/webhook-deliveries', { query: { limit: 100 } });
    return data.every(({ status }) => status !== 'pending');
  });
};

const resolveMatches = async (api: IntakeClient): Promise<void> => {
  for await (const { id: submissionId } of api.list('/api/v1/submissions')) {
    const path = { submissionId };
    const { data } = await api.get('/api/v1/submissions/{submissionId}/fraud-matches', { path });
    for (const { id: matchId } of data)
      await api.post('/api/v1/submissions/{submissionId}/fraud-matches/{matchId}/resolve', {
        path: { submissionId, matchId },
        body: { resolution: 'dismissed', resolvedBy: 'trial' },
      });
  }
};

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const started = performance.now();
  while (!(await isSo())) {
    if (performance.now() - started > 60_000) throw new Error(`it took too long until ${what}`);
    await sleep(100);
  }
};

type List = Readonly<{
  data: readonly Readonly<{ id: string; sessionId: string; eventId: string; status: string }>[];
}>;

type Stream = Readonly<{ data: readonly Readonly<{ revision: number }>[] }>;

/** Everything that a key can read, by its path; addresses that are signed anew each time are left out. */
const everyAnswer = async (url: string, key: string): Promise<Answers> => {
  const answers = new Map<string, unknown>();
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    const answer = (await response.json()) as T;
    answers.set(path, withoutAddresses(answer));
    return answer;
  };
  for (const slug of ['receipt', SLUG])
    for (const path of [`/workflows/${slug}`, `/workflows/${slug}/versions/1`]) await get(path);
  for (const path of ['/workflows', '/companies', '/batches/upgrade', '/events?limit=100']) await get(path);
  for (const { id, sessionId } of (await get<List>('/submissions?limit=100')).data) {
    for (const part of ['', '/fraud-matches']) await get(`/submissions/${id}${part}`);
    const { data } = await get<Stream>(`/submissions/${id}/events?limit=100`);
    for (const { revision } of data) await get(`/submissions/${id}?at=${revision}`);
    await get(`/jobs/${sessionId ?? id.replace('sub_', 'ses_')}`);
  }
  for (const { eventId } of (await get<List>('/webhook-deliveries?limit=100')).data)
    await get(`/webhook-deliveries/${eventId}`);
  return answers;
};

const withoutAddresses = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (name, value) => (name.endsWith('Url') ? undefined : value));

const submissionsOf = (answers: Answers): readonly string[] =>
  (answers.get('/submissions?limit=100') as List).data.map(({ id }) => id);

/** Each build's verdict on the packages that both have exported. */
const exported = async (folder: string, before: Settings, now: Settings, ids: readonly string[]) => {
  const different: string[] = [];
  const added = new Set<string>();
  const key = join(folder, 'evidence.pem');
  const { publicKey } = JSON.parse(await intake(now, 'audit', 'key', '--json')) as { publicKey: string };
  writeFileSync(key, publicKey);
  for (const id of ids) {
    const [old, made] = [join(folder, `${id}.before`), join(folder, `${id}.now`)];
    await intake(before, 'audit', 'export', id, '--out', old);
    await intake(now, 'audit', 'export', id, '--out', made);
    const verdicts = [
      await contentOf(before, old, key),
      await contentOf(now, old, key),
      await contentOf(before, made, key),
      await contentOf(now, made, key),
    ];
    const history = await historyOf(before, id);
    if (new Set(verdicts).size > 1) different.push(`${id} (package)`);
    if (!isDeepStrictEqual(history, known(history, await historyOf(now, id), added)))
      different.push(`${id} (audit)`);
  }
  return {
    what: 'exported, verified by both builds, and audited',
    compared: ids.length,
    different,
    added: [...added],
  };
};

/** What the audit reports of a submission; the order of an event's changes means nothing. */
const historyOf = async (settings: Settings, id: string): Promise<unknown> =>
  JSON.parse(await intake(settings, 'audit', id, '--json'), (name, value) =>
    name === 'changes'
      ? Object.fromEntries((value as Changes).map((change) => [change.pointer, change]))
      : value,
  );

type Changes = readonly Readonly<{ pointer: string }>[];

/**
 * What a verified package holds, without when and by which release it was written, and the words of that
 * release.
 */
const contentOf = async (settings: Settings, path: string, key: string): Promise<string> => {
  const verdict = await intake(settings, 'audit', 'verify', path, '--key', key, '--json');
  return JSON.stringify(JSON.parse(verdict), (name, value) =>
    OF_RELEASE.includes(name) ? undefined : value,
  );
};

const OF_RELEASE = [
  ...['path', 'package', 'exportedAt', 'madeAt', 'writtenBy', 'release', 'version'],
  // An older release does not tell what a redaction has removed.
  ...['cannotProve', 'redacted'],
];
