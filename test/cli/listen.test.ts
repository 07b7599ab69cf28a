import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { type Received, type Receiver, startReceiver } from '../../scripts/receiver.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { startService, type TestService } from '../support/service.ts';
import { documentOf, type Running, refusalOf, start, workplace } from './run.ts';

const test = suite('intake listen');
const place = workplace();
const CA = join(place.folder, 'laptop.pem');
let service: TestService;
let laptop: Receiver;
let companyId: string;

test.before(async () => {
  service = await startService({ BATCH_GRACE: '1ms', SWEEP: '1s' });
  laptop = await startReceiver({ name: 'localhost' });
  writeFileSync(CA, laptop.ca);
  ({ id: companyId } = await service.company());
});
test.after(async () => {
  await laptop.close();
  await service.close();
  place.remove();
});

let developers = 0;

/** A developer with a key and a folder of states, whose receiver has a path of its own. */
const developer = async () => {
  developers += 1;
  const path = `/${developers}`;
  const { key, api } = await service.key(companyId);
  const state = join(place.folder, `state${developers}`);
  const environment = { INTAKE_URL: service.url, INTAKE_KEY: key };
  const settings = { ...environment, XDG_STATE_HOME: state, NODE_EXTRA_CA_CERTS: CA };
  const forwardTo = ['--forward-to', `${laptop.url}${path}`];
  return {
    ...{ key, api, settings, folder: join(state, 'intake') },
    /** Listens, and resolves once it has its place in the feed. */
    listen: async (...words: readonly string[]): Promise<Running> => {
      const running = start(settings, 'listen', '--json', ...forwardTo, ...words);
      await eventually(
        'it listens',
        () => running.stderr().includes('go to') && existsSync(join(state, 'intake')),
      );
      return running;
    },
    run: (...words: readonly string[]) => runIntake(settings, 'listen', '--json', ...words),
    /** What has come to the receiver. */
    got: (): readonly Received[] => laptop.requests.filter((request) => request.path === path),
  };
};

type Line = Readonly<{
  eventId: string;
  eventType: string;
  delivered: boolean;
  statusCode: number;
  attempts: number;
}>;
const linesOf = ({ stdout }: Running): readonly Line[] =>
  stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const idsOf = (requests: readonly Received[]) => requests.map(({ headers }) => headers['x-webhook-id']);
const end = async ({ child, ended }: Running, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
  child.kill(signal);
  return ended;
};
const cancelled = async (api: Client): Promise<void> => {
  const { submissionId } = await api.open([]);
  assert.is((await api.post(`/api/v1/submissions/${submissionId}/cancel`)).status, 200);
};
const feedOf = async (api: Client): Promise<readonly string[]> =>
  (await api.get('/api/v1/events?limit=100')).body.data.map(({ eventId }: Line) => eventId);

/** What the time of an attempt, and the receiver's name, change. */
const OWN = ['host', 'x-webhook-timestamp', 'webhook-timestamp', 'webhook-signature'];
const sameOf = ({ method, headers, body }: Received) => ({
  method,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name))),
  names: Object.keys(headers),
  body: body.toString(),
});

test('what it sends is what the service delivers: bytes, headers and signatures [cli-13]', async () => {
  const ann = await developer();
  const listening = await ann.listen();
  const own = `/delivered-${developers}`;
  const webhookUrl = `${service.receiver.url}${own}`;
  const metadata = { 10: 'ten', b: '\u00e9\ud83d\ude00 "\\', n: [1.5e-7, -0, null], __proto__x: {} };
  const input = { webhookUrl, metadata, clientSubmissionId: 'order 1', batchRef: 'laptop' };
  await ann.api.process([receiptText()], input);
  const failed = await ann.api.process([{ content: '{', mimeType: 'application/json' }], { webhookUrl });
  await ann.api.post(`/api/v1/submissions/${failed.submissionId}/cancel`);
  const delivered = () => service.receiver.requests.filter(({ path }) => path === own);
  await eventually('all are there', () => delivered().length === 4 && ann.got().length === 4);
  const { webhookSecret, standardWebhooksSecret } = documentOf<Record<string, string>>(
    await ann.run('--print-secret'),
  );
  assert.equal([webhookSecret, standardWebhooksSecret].map(Boolean), [true, true]);
  for (const sent of ann.got()) {
    const id = sent.headers['x-webhook-id'];
    const real = delivered().find(({ headers }) => headers['x-webhook-id'] === id);
    assert.equal(sameOf(sent), real && sameOf(real));
    new Webhook(standardWebhooksSecret ?? '').verify(sent.body, sent.headers as Record<string, string>);
  }
  assert.equal(new Set(idsOf(ann.got())).size, 4);
  const types = linesOf(listening).map(({ eventType, delivered, statusCode }) => [
    eventType,
    delivered,
    statusCode,
  ]);
  assert.is((await end(listening)).code, 0);
  assert.equal(types.length, 4);
  for (const line of types) assert.equal(line.slice(1), [true, 200]);
});

test('it starts at the end, and goes on where it stopped, however it was stopped [cli-14]', async () => {
  const bob = await developer();
  await cancelled(bob.api);
  for (const [n, signal] of (['SIGTERM', 'SIGKILL', 'SIGTERM'] as const).entries()) {
    const listening = await bob.listen();
    await eventually('what came while it was away', () => bob.got().length >= 2 * n);
    await cancelled(bob.api);
    const newest = (await feedOf(bob.api)).at(-1);
    await eventually('what comes', () => linesOf(listening).some(({ eventId }) => eventId === newest));
    await end(listening, signal);
    await cancelled(bob.api);
  }
  const [before, ...rest] = await feedOf(bob.api);
  const last = rest.at(-1);
  const seen = idsOf(bob.got());
  assert.not.ok(seen.includes(before), 'what was there before the first run');
  assert.not.ok(seen.includes(last), 'what came after the last');
  assert.equal([...new Set(seen)], rest.slice(0, -1), 'the others, in order');
  assert.ok(seen.length <= rest.length, 'one was sent again at most');
  const file = readdirSync(bob.folder).find((name) => name.endsWith('.json')) ?? '';
  assert.equal(
    [statSync(bob.folder).mode & 0o777, statSync(join(bob.folder, file)).mode & 0o777],
    [0o700, 0o600],
  );
  assert.not.ok(readFileSync(join(bob.folder, file), 'utf8').includes(bob.key));
});

test('it starts at the first event, or at a time, and takes only the types that are named', async () => {
  const cleo = await developer();
  await cancelled(cleo.api);
  const failed = await cleo.api.process([{ content: '{', mimeType: 'application/json' }]);
  const feed = (await cleo.api.get('/api/v1/events')).body.data;
  assert.equal(feed.length, 2);
  const seenWith = async (...words: readonly string[]) => {
    const before = cleo.got().length;
    const listening = await cleo.listen(...words);
    await eventually('the failed one', () => idsOf(cleo.got()).slice(before).includes(feed[1].eventId));
    await end(listening);
    return idsOf(cleo.got()).slice(before);
  };
  const ids = feed.map(({ eventId }: Line) => eventId);
  assert.equal(await seenWith('--from-start'), ids);
  assert.equal(await seenWith('--since', feed[1].occurredAt), ids.slice(1));
  assert.equal(await seenWith('--since', '2h'), ids);
  assert.equal(await seenWith('--from-start', '--types', 'session.failed,batch.completed'), ids.slice(1));
  assert.is(failed.state, 'failed');
});

test('a wrong command line is refused, and so is a key that the service does not know', async () => {
  const dan = await developer();
  const url = `${laptop.url}/x`;
  const wrong = [
    [],
    ['--forward-to', 'localhost:4000'],
    ['--forward-to', 'ftp://localhost'],
    ['--forward-to', 'http://a:b@localhost'],
    ['--forward-to', url, '--types', 'session.done'],
    ['--forward-to', url, '--since', 'yesterday'],
    ['--forward-to', url, '--since', '2h', '--from-start'],
  ];
  for (const words of wrong)
    assert.is(refusalOf(await dan.run(...words)).code, 'wrong-usage', words.join(' '));
  const settings = { ...dan.settings, INTAKE_KEY: `aok_${'0a'.repeat(32)}` };
  const { code, stderr } = await runIntake(settings, 'listen', '--forward-to', url);
  assert.is(code, 1);
  assert.not.ok(stderr.includes(settings.INTAKE_KEY));
});
