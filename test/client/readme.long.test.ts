import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { deliveryHeaders, standardWebhooksSecret } from '../../outbound/sign.ts';
import { suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { freePort } from '../support/freePort.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { installedClient, onNode, type Project } from './installed.ts';

const test = suite('client: the examples of its README');
let project: Project;
let service: TestService;
let key = '';

const [setUp = '', ...examples] = [
  ...readFileSync('client/README.md', 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, code = '']) => code);

test.before(async () => {
  project = installedClient();
  service = await sharedService();
  const company = await service.company(receiptDefinition, 'test');
  key = company.key;
  for (const outcome of ['review', 'approved'])
    await company.api.process([receiptText()], { metadata: { 'intake:outcome': outcome } });
  const { types } = await service.intake<{ types: string }>('workflow', 'types', 'receipt');
  project.write({ 'receipt.ts': types, 'intake.ts': setUp });
  copyFileSync('scripts/samples/receipt.pdf', join(project.folder, 'receipt.pdf'));
  project.write(Object.fromEntries(examples.map((code, index) => [`example${index + 1}.ts`, code])));
  const files = ['receipt.ts', 'intake.ts', ...examples.map((_, index) => `example${index + 1}.ts`)];
  assert.equal(project.tsc(onNode, files), { code: 0, out: '', err: '' });
});

const start = (number: number, more: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [`example${number}.js`], {
    cwd: project.folder,
    env: { PATH: process.env.PATH, INTAKE_URL: service.url, INTAKE_KEY: key, ...more },
  });

/** What an example prints; it must end well. */
const printed = async (number: number): Promise<string> => {
  const child = start(number);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.is(err, '');
  assert.is(child.exitCode, 0);
  return out;
};

const outputs: Readonly<Record<number, RegExp>> = {
  1: /^sub_\w{26} (queued|processing)\n$/,
  2: /^approved 80\.9\n$/,
  4: /^sub_\w{26} review\n$/,
  5: /^there is none \S+\n$/,
  6: /^sub_\w{26} approved\n$/,
  7: /^0 %\n(\d+ %\n)*100 %\n$/,
  8: /^(session\.completed|submission\.approved) [0-9a-f-]{36}\n$/,
  9: /^true\n$/,
  10: /^80\.90\n$/,
};

test('there are ten of them', () => assert.is(examples.length, 10));

for (const [number, output] of Object.entries(outputs))
  test(
    `example ${number} prints what it is about`,
    async () => {
      assert.match(await printed(Number(number)), output);
    },
    { timeoutMs: 180_000 },
  );

test('example 3 takes a signed webhook and refuses a changed one', async () => {
  const [port, secret] = [await freePort(), 'ab'.repeat(32)];
  const child = start(3, { PORT: String(port), WEBHOOK_SECRET: standardWebhooksSecret(secret) });
  await once(child.stdout, 'data');
  const body = JSON.stringify({ eventType: 'session.completed', submissionId: 'sub_1', result: null });
  const headers = deliveryHeaders(
    { eventId: 'evt-1', eventType: 'session.completed', body, at: new Date() },
    [secret],
  );
  const send = async (sent: string) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sent })).status;
  const statuses = [await send(body), await send(`${body} `)];
  child.kill();
  assert.equal(statuses, [204, 400]);
});
