import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { firstLine } from '../../cli/output.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';
import { documentOf, refusalOf, start, workplace } from './run.ts';

const test = suite('the command line over HTTP');
const place = workplace();
let service: TestService;
/** Of this user: no DATA_DIR, no settings of the service. */
let settings: Readonly<Record<string, string>>;
let isDown = true;

const definition = {
  ...receiptDefinition,
  processing: { reviewBelow: 0.5, review: 'always', fraud: { checks: ['duplicate_file'] } },
};
const receipt = join(place.folder, 'receipt.txt');

test.before(async () => {
  const answer = ({ path }: { path: string }) =>
    path === '/cli-fails' && isDown ? { status: 503, body: '\nfirst line\nsecond line' } : {};
  service = await startService({ WEBHOOK_RETRY_DELAYS: '20ms' }, { answer });
  const { key } = await service.company(definition, 'test');
  settings = { INTAKE_URL: service.url, INTAKE_KEY: key, XDG_CONFIG_HOME: place.folder };
  writeFileSync(receipt, receiptText().content);
});
test.after(async () => {
  await service.close();
  place.remove();
});

const intake = (...words: readonly string[]) => runIntake(settings, ...words);
const json = async <T = Record<string, unknown>>(...words: readonly string[]): Promise<T> =>
  documentOf<T>(await intake(...words, '--json'));
type Job = Readonly<{ sessionId: string; submissionId: string; submissionStatus: string; metadata: unknown }>;

/** The names in the directory of a zip file (APPNOTE.TXT, 4.3.12). */
const entriesOf = (path: string): readonly string[] => {
  const bytes = readFileSync(path);
  const entries: string[] = [];
  for (let at = bytes.indexOf('PK\u0001\u0002'); at !== -1; at = bytes.indexOf('PK\u0001\u0002', at + 46))
    entries.push(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)));
  return entries;
};

/** Submits a receipt in test mode, so that it ends in this status. */
const submitted = (outcome: string, ...more: readonly string[]): Promise<Job> =>
  json('submit', 'receipt', receipt, '--metadata', `{"intake:outcome":"${outcome}"}`, ...more);

test('files are submitted, and the outcome is waited for [cli-16]', async () => {
  const metadata = join(place.folder, 'metadata.json');
  writeFileSync(metadata, '{"intake:outcome":"review","order":1}');
  const job = await json<Job>(
    ...['submit', 'receipt', receipt, receipt, '--metadata', `@${metadata}`, '--client-id', 'order-1'],
    ...['--batch', 'november', '--wait'],
  );
  assert.equal([job.submissionStatus, job.metadata], ['review', { 'intake:outcome': 'review', order: 1 }]);
  const { files, clientSubmissionId, batchRef } = await json('submissions', 'show', job.sessionId);
  assert.equal([(files as object[]).length, clientSubmissionId, batchRef], [2, 'order-1', 'november']);
  const { counts } = await json('batches', 'show', 'november');
  assert.is((counts as Record<string, number>).total, 1);
  const { stdout } = await intake('submissions', 'show', job.submissionId);
  assert.match(stdout, /^id +sub_.*\nstatus +review\n(.*\n)*FIELD +VALUE +CONFIDENCE\n/m);
});

test('what failed or was cancelled ends the waiting with exit code 1 [cli-16]', async () => {
  const { sessionId } = await submitted('failed');
  const { code, stdout, stderr } = await intake('wait', sessionId, '--json');
  assert.equal([code, JSON.parse(stdout).submissionStatus, stderr], [1, 'failed', '']);
  const kept = await submitted('processing');
  const late = refusalOf(await intake('wait', kept.sessionId, '--timeout', '1', '--json'));
  assert.equal([late.code, late.exitCode], ['still-processing', 1]);
});

test('submissions are listed by filters, no more than are asked for [cli-16]', async () => {
  const [one] = [await submitted('approved', '--client-id', 'listed', '--wait'), await submitted('approved')];
  const list = async (...words: string[]) =>
    (await json<{ data: { id: string }[] }>('submissions', 'list', ...words)).data.map(({ id }) => id);
  assert.equal(await list('--client-id', 'listed', '--status', 'approved', '--workflow', 'receipt'), [
    one?.submissionId,
  ]);
  assert.equal(await list('--client-id', 'listed', '--fraud-status', 'blocked'), []);
  const { stdout, stderr } = await intake('submissions', 'list', '--limit', '1');
  assert.match(stdout, /^ID +STATUS +WORKFLOW .*\nsub_\S+ .*\n$/);
  assert.match(stderr, /more than these 1: --limit/);
});

test('a submission is approved with corrections in the types of its fields, or refused [cli-16]', async () => {
  const { submissionId } = await submitted('review', '--wait');
  const { revision } = await json('submissions', 'show', submissionId);
  const stale = ['approve', submissionId, '--if-match', `${Number(revision) - 1}`, '--json'];
  const changed = refusalOf(await intake(...stale));
  assert.equal([changed.code, changed.exitCode], ['precondition-failed', 1]);
  const corrections = ['--correct', 'total=12.50', '--correct', 'company=4711', '--correct', 'date='];
  const decided = await json('approve', submissionId, ...corrections, '--if-match', `${revision}`);
  assert.is(decided.submissionStatus, 'approved');
  const { extractedData } = await json('submissions', 'show', submissionId);
  assert.equal(extractedData, { company: '4711', date: null, total: 12.5 });

  const [reject, cancel] = [await submitted('review', '--wait'), await submitted('processing')];
  assert.is((await json('reject', reject.submissionId, '--reason', 'not ours')).submissionStatus, 'rejected');
  assert.is((await json('cancel', cancel.sessionId)).submissionStatus, 'cancelled');
  assert.is((await json('submissions', 'show', reject.submissionId)).rejectReason, 'not ours');
});

test('a problem of the service is printed with its faults and its request [cli-17]', async () => {
  const { submissionId } = await submitted('review', '--wait');
  const wrong = ['approve', submissionId, '--correct', 'total=much', '--correct', 'colour=red'];
  const refusal = refusalOf(await intake(...wrong, '--json'));
  assert.is(refusal.exitCode, 1);
  assert.equal(refusal.errors.map(({ pointer }) => pointer).sort(), [
    '/corrections/colour',
    '/corrections/total',
  ]);
  const { code, stderr } = await intake(...wrong);
  assert.is(code, 1);
  assert.match(stderr, /^intake: .*\n(.*\n)* {2}\/corrections\/total .*\n(.*\n)* {2}request \S+\n/);
  const gone = refusalOf(await intake('submissions', 'show', 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d', '--json'));
  assert.equal([gone.code, gone.exitCode], ['not-found', 1]);
  const noFile = refusalOf(await intake('submit', 'receipt', join(place.folder, 'gone.jpg'), '--json'));
  assert.equal([noFile.code, noFile.exitCode], ['no-file', 1]);
});

test('fraud matches are listed and resolved [cli-16]', async () => {
  const forced = '{"intake:outcome":"review","intake:fraud":"flagged"}';
  const job = await json<Job>('submit', 'receipt', receipt, '--metadata', forced, '--wait');
  const { data } = await json<{ data: { id: string }[] }>('matches', 'list', job.submissionId);
  const [match] = data;
  const resolved = await json('matches', 'resolve', job.submissionId, `${match?.id}`, 'dismissed');
  assert.is(resolved.resolution, 'dismissed');
});

test('all submissions of a person are redacted, but for what a legal hold keeps [subjects-4]', async () => {
  const ofPerson = ['--metadata', '{"intake:outcome":"review","customer":"4711"}'];
  const jobs = [];
  for (let n = 0; n < 2; n += 1)
    jobs.push(await json<Job>('submit', 'receipt', receipt, ...ofPerson, '--wait'));
  const [kept = '', gone = ''] = jobs.map(({ submissionId }) => submissionId);
  await json('submissions', 'hold', kept, '--reason', 'proceedings');
  const redact = [
    'subjects',
    'redact',
    '--reason',
    'article 17',
    '--legal-basis',
    'erasure_request',
    '--json',
  ];
  const { code, stdout } = await intake(...redact, '--metadata', 'customer=4711');
  const answer = JSON.parse(stdout);
  assert.equal(
    [code, answer.status, answer.total, answer.done, answer.held, answer.failed],
    [1, 'done', 2, 1, [kept], []],
  );
  assert.is((await json<{ redaction: string }>('submissions', 'show', gone)).redaction, 'done');
  await json('submissions', 'release', kept);
  await eventually('what was redacted is found no more', async () => {
    const { data } = await json<{ data: object[] }>('submissions', 'list', '--metadata', 'customer=4711');
    return data.length === 1;
  });
  const again = await json('subjects', ...redact.slice(1, -1), '--metadata', 'customer=4711');
  assert.equal([again.total, again.done, again.held], [1, 1, []]);
  assert.is(refusalOf(await intake(...redact)).exitCode, 2);
});

test('all that is known of a person is saved, or nothing [subjects-5]', async () => {
  const { submissionId } = await submitted('review', '--client-id', 'to-be-exported', '--wait');
  const out = join(place.folder, 'known.zip');
  await json('subjects', 'export', '--client-id', 'to-be-exported', '--out', out);
  const { files } = await json<{ files: { id: string }[] }>('submissions', 'show', submissionId);
  assert.equal([...entriesOf(out)].sort(), [
    `${submissionId}/events.json`,
    `${submissionId}/files/${files[0]?.id}`,
    `${submissionId}/submission.json`,
  ]);
  const none = refusalOf(
    await intake('subjects', 'export', '--client-id', 'nobody', '--out', `${out}.none`, '--json'),
  );
  assert.equal([none.code, existsSync(`${out}.none`)], ['not-found', false]);
});

test('the feed is printed to its end, or followed from now on [cli-16]', async () => {
  await submitted('review', '--wait');
  const ended = await intake('events', 'tail', '--types', 'session.review_required', '--json');
  const types = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).eventType);
  assert.equal([ended.code, [...new Set(types)]], [0, ['session.review_required']]);

  const following = start(settings, 'events', 'tail', '--follow', '--types', 'session.failed');
  // It starts at the end: what is submitted before its first request may be missed.
  await eventually('an event that is followed', async () => {
    await submitted('failed', '--wait').catch(() => undefined);
    return following.stdout().includes('session.failed');
  });
  following.child.kill('SIGINT');
  const { code, stdout, stderr } = await following.ended;
  assert.equal([code, stderr], [0, '']);
  assert.match(stdout, /^\d{4}-\S+Z {2}session\.failed {2}sub_\S+ {2}failed {2}\S+$/m);
});

test('deliveries of the key are listed, shown and sent again; workflows are shown [cli-16]', async () => {
  const webhook = ['--webhook-url', `${service.receiver.url}/cli`];
  const { submissionId } = await submitted('review', '--wait', ...webhook);
  const list = ['deliveries', 'list', '--submission', submissionId, '--status', 'delivered'];
  const { eventId } = await eventually('a delivery', async () => {
    const { data } = await json<{ data: { eventId: string }[] }>(...list);
    return data[0] ?? null;
  });
  const { stdout } = await intake('deliveries', 'show', eventId);
  assert.match(stdout, /^status +delivered\n(.*\n)*AT +STATUS +MS +ERROR +RECEIVER +ANSWER\n\S+ +200 /m);
  assert.equal(await json('deliveries', 'redeliver', eventId), { eventId, count: 1 });

  assert.match((await intake('workflows', 'list')).stdout, /^SLUG +NAME +VERSION +PUBLISHED\nreceipt /);
  assert.match((await intake('workflows', 'show', 'receipt')).stdout, /total +number +yes +Total$/m);
});

test('where deliveries of the key fail is listed, and they are recovered [cli-16] [deliveries-20]', async () => {
  const { host } = new URL(service.receiver.url);
  const webhook = ['--webhook-url', `${service.receiver.url}/cli-fails`];
  const { submissionId } = await submitted('review', '--wait', ...webhook);
  type Failing = Readonly<{ data: readonly Readonly<{ receiver: string; since: string }>[] }>;
  const failing = () => json<Failing>('deliveries', 'failing-receivers');
  const { receiver, since } = await eventually('a receiver fails', async () => (await failing()).data[0]);
  assert.is(receiver, host);
  const { stdout } = await intake('deliveries', 'failing-receivers');
  assert.match(stdout, new RegExp(`^RECEIVER +FAILED +SINCE\n${host} +1 +${since}$`, 'm'));
  const list = await json<{ data: { id: string }[] }>('deliveries', 'list', '--submission', submissionId);
  const shown = await intake('deliveries', 'show', list.data[0]?.id ?? '');
  assert.match(shown.stdout, new RegExp(`503 +\\S+ +answered 503 +${host}/cli-fails +first line$`, 'm'));
  isDown = false;
  const recover = (name: string) => json('deliveries', 'recover', '--since', since, '--receiver', name);
  assert.equal(await recover('elsewhere.example'), { count: 0, next: null });
  assert.equal(await recover(host.toUpperCase()), { count: 1, next: null });
  await eventually('none fails', async () => (await failing()).data.length === 0);
});

test('what is shown of an answer is its first line with something in it, and no wider than there is room', () => {
  assert.is(firstLine('\r\n \n<h1>Bad gateway</h1>\nmore', 40), '<h1>Bad gateway</h1>');
  assert.is(firstLine('0123456789', 10), '0123456789');
  assert.is(firstLine('0123456789+', 10), '012345678…');
  assert.is(firstLine('', 10), '');
});

test('webhook endpoints are made, listed, rotated, disabled, enabled and deleted [cli-16]', async () => {
  type Made = Readonly<{ id: string; secret: string; retrySchedule: string; eventTypes: readonly string[] }>;
  const url = `${service.receiver.url}/endpoint`;
  const options = ['--types', 'session.failed', '--retry-schedule', 'extended'];
  const { id, secret, retrySchedule, eventTypes } = await json<Made>('endpoints', 'create', url, ...options);
  assert.equal([retrySchedule, eventTypes], ['extended', ['session.failed']]);
  const listed = await intake('endpoints', 'list');
  assert.match(listed.stdout, new RegExp(`^${id} +${url} +session.failed +enabled`, 'm'));
  assert.not.ok(listed.stdout.includes(secret));
  const rotated = await json<Made>('endpoints', 'rotate', id, '--overlap', '60');
  assert.match(rotated.secret, /^whsec_/);
  assert.not.equal(rotated.secret, secret);
  assert.is((await json('endpoints', 'disable', id)).status, 'disabled');
  assert.is((await json('endpoints', 'enable', id)).status, 'enabled');
  assert.equal(await json('endpoints', 'delete', id), { id, deleted: true });
  assert.match((await intake('endpoints', 'list')).stdout, /no endpoint yet/);
});

test('no command over HTTP needs the data or the settings of the service [cli-17]', async () => {
  const broken = { ...settings, DATA_DIR: '/nowhere/at/all', PORT: 'none' };
  const { code, stderr } = await start(broken, 'submissions', 'list', '--limit', '1000').ended;
  assert.equal([code, stderr], [0, '']);
  const unreachable = start({ ...settings, INTAKE_URL: 'http://127.0.0.1:9' }, 'workflows', 'list', '--json');
  assert.equal([refusalOf(await unreachable.ended).code], ['unreachable']);
});

test('a version is tried on what was approved, and the report is printed with the advice [evaluations-14]', async () => {
  const submitted = await json('submit', 'receipt', receipt, '--wait', '--client-id', 'to-be-evaluated');
  await json('approve', String(submitted.submissionId), '--correct', 'total=12.5');
  const answer = await json<Record<string, Record<string, unknown>>>('evaluate', 'receipt', '--size', '5');
  assert.equal([answer.status, answer.report?.documents], ['completed', answer.read]);
  const { code, stdout } = await intake('evaluate', 'receipt', '1', '--max-wrong', '0.02');
  assert.is(code, 0);
  assert.match(stdout, /^receipt, version 1, on \d+ of \d+ approved submissions \(completed\)/);
  assert.match(stdout, /^FIELD +RIGHT +EXACT/m);
  assert.match(stdout, /^total +/m);
  assert.match(stdout, 'it takes 149 submissions without a wrong one');
  const draft = join(place.folder, 'draft.json');
  writeFileSync(draft, JSON.stringify(definition));
  assert.is((await json('evaluate', '--definition', draft, '--since', '1d')).status, 'completed');
  assert.is(refusalOf(await intake('evaluate', '--json')).exitCode, 2);
});
