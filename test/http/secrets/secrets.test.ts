import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { hashKey } from '../../../stores/credentials.ts';
import { eventually, suite } from '../../harness.ts';
import { receiptText } from '../../support/client.ts';
import { receiptDefinition } from '../../support/definition.ts';
import { findings, formsOf } from './forms.ts';
import { drawn, type Place, type Stage, setStage } from './stage.ts';

const test = suite('planted secrets [secrets-1]');

const settings = {
  MASTER_KEY: Buffer.from(drawn().slice(0, 32)).toString('base64'),
  EVIDENCE_KEY: Buffer.from(drawn().slice(0, 32)).toString('base64'),
  METRICS_TOKEN: drawn(),
  AGENT_KEY: drawn(),
  EXTRACTOR_SECRET: drawn(),
  ERP_SECRET: drawn(),
};
const planted = {
  metadata: drawn(),
  clientSubmissionId: drawn(),
  batchRef: drawn(),
  fileName: drawn(),
  company: drawn(),
  reason: drawn(),
  actor: drawn(),
};
const hook = { path: drawn(), query: drawn(), answer: drawn(), cookie: drawn() };
/** What an operator writes into the address of an endpoint: it stands in the workflow's version. */
const endpoint = { query: drawn() };
/** What people send to the wrong place. */
const slips = { password: drawn(), header: drawn(), token: drawn(), guess: `aok_${drawn().slice(0, 40)}` };
const keys: Record<string, string> = {};
const hashes: Record<string, string> = {};
const people = { email: `${drawn().toLowerCase()}@example.com`, name: drawn() };
const passwords = { chosen: drawn(), refused: drawn().slice(0, 7), wrong: drawn() };
/** Tokens of invitations, and of sessions: these are answered once, to whom logs in. */
const tokens: Record<string, string> = {};
const sessions: Record<string, string> = {};
/** The token in a page's cookie, and the CSRF token beside it. */
const pages: Record<string, string> = {};
const csrf: Record<string, string> = {};
const signatures: Record<string, string> = {};
const requestId = 'control-of-the-planted-secrets';

/** A model endpoint that is away, and says too much about it. */
const agent = createServer();
let stage: Stage;
let places: Readonly<Record<Place, Buffer>>;
let attempts = 0;
let asksOfTheAgent = 0;

test.before(async () => {
  agent.on('request', (request, response) => {
    asksOfTheAgent += 1;
    response.writeHead(500).end(`no such key: ${request.headers.authorization}`);
  });
  await once(agent.listen(0, '127.0.0.1'), 'listening');
  const { port } = agent.address() as AddressInfo;
  stage = await setStage({ ...settings, AGENT_URL: `http://127.0.0.1:${port}`, AGENT_MODEL: 'm' }, () => ({
    status: attempts++ % 3 === 0 ? 500 : 200,
    headers: { 'set-cookie': `session=${hook.cookie}` },
    body: hook.answer,
  }));
  const companyId = await stage.company();
  const [valid, revoked] = await Promise.all([
    newKey('valid', '--company', companyId),
    newKey('revoked', '--company', companyId),
    newKey('unscoped', '--unscoped'),
  ]);
  await stage.command('key', 'revoke', revoked.id);
  await elsewhere(companyId);
  await Promise.all([submissions(valid.key), logIns(), sentElsewhere(valid.key)]);
  await misuse(valid.key, revoked.key);
  await Promise.all([stage.told('key', 'list'), stage.told('webhooks', 'list')]);
  places = await stage.end();
});
test.after(async () => {
  agent.close();
  await stage.remove();
});

const newKey = async (name: string, ...scope: readonly string[]) => {
  const made = await stage.command<{ id: string; key: string }>('key', 'create', ...scope);
  keys[name] = made.key;
  hashes[name] = hashKey(made.key);
  return made;
};

/**
 * What an integration does: sessions, uploads, results, webhooks that fail and are tried again, decisions.
 */
const submissions = async (key: string): Promise<void> => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-request-id': requestId,
  };
  let asked = 0;
  /** Asks twice: the second answer comes from the record of the first where it was a POST. */
  const ask = async (method: string, path: string, body?: object) => {
    asked += 1;
    const once = method === 'POST' ? { 'idempotency-key': `planted-${asked}` } : {};
    const init = { headers: { ...headers, ...once }, ...(body ? { body: JSON.stringify(body) } : {}) };
    await stage.ask(method, path, init);
    return JSON.parse((await stage.ask(method, path, init)).text);
  };
  const content = String(receiptText({ company: planted.company }).content);
  const open = (webhookUrl: string) =>
    ask('POST', '/api/v1/workflows/receipt/sessions', {
      webhookUrl,
      clientSubmissionId: planted.clientSubmissionId,
      batchRef: planted.batchRef,
      metadata: { contact: planted.metadata },
      files: [
        { fileName: `${planted.fileName}.json`, mimeType: 'application/json', fileSize: content.length },
      ],
    });
  const run = async (webhookUrl: string) => {
    const session = await open(webhookUrl);
    const { method, url, headers: signed } = session.uploads[0];
    signatures.upload ??= String(new URL(url).searchParams.get('X-Amz-Signature'));
    await stage.ask(method, url.replace(/Signature=../, 'Signature=00'), { headers: signed, body: content });
    await stage.ask(method, url, { headers: signed, body: content });
    await ask('POST', `/api/v1/workflows/receipt/sessions/${session.sessionId}/submit`);
    return session;
  };
  const [told, nobody] = await Promise.all([
    run(`${stage.receiver.url}/${hook.path}?token=${hook.query}`),
    run(`https://receiver.example:1/${hook.path}?token=${hook.query}`),
  ]);
  for (const [session, status] of [
    [told, 'delivered'],
    [nobody, 'failed'],
  ] as const)
    await eventually(
      `${status}`,
      async () => {
        const { webhookDeliveryStatus } = await ask('GET', `/api/v1/jobs/${session.sessionId}`);
        return webhookDeliveryStatus === status;
      },
      20_000,
    );
  const { files } = await ask('GET', `/api/v1/submissions/${told.submissionId}`);
  signatures.download = String(new URL(files[0].downloadUrl).searchParams.get('X-Amz-Signature'));
  await stage.ask('GET', files[0].downloadUrl);
  const cancelled = await open(`${stage.receiver.url}/${hook.path}`);
  const decision = { reason: planted.reason, actor: planted.actor };
  for (let times = 0; times < 2; times += 1)
    await ask('POST', `/api/v1/submissions/${cancelled.submissionId}/cancel`, decision);
  await ask(
    'GET',
    `/api/v1/submissions?clientSubmissionId=${planted.clientSubmissionId}&batchRef=${planted.batchRef}`,
  );
  await ask('GET', `/api/v1/batches/${planted.batchRef}`);
  for (const path of ['events', 'webhook-deliveries']) await ask('GET', `/api/v1/${path}`);
  await ask('POST', '/api/v1/webhooks/test', {
    webhookUrl: `${stage.receiver.url}/${hook.path}?token=${hook.query}`,
  });
  await stage.told('audit', told.submissionId);
  await stage.exported(told.submissionId);
};

/** Workflows whose files are read, and whose data are sent on, elsewhere. */
const elsewhere = async (companyId: string): Promise<void> => {
  const url = `${stage.receiver.url}/elsewhere?token=${endpoint.query}`;
  const http = { url, secretEnv: 'EXTRACTOR_SECRET' };
  const workflows = { read: { extractor: { http } }, passed: { sync: { url, secretEnv: 'ERP_SECRET' } } };
  for (const [slug, processing] of Object.entries(workflows)) {
    const file = join(stage.environment.DATA_DIR, `${slug}.json`);
    writeFileSync(file, JSON.stringify({ ...receiptDefinition, slug, processing }));
    await stage.command('workflow', 'publish', file);
    await stage.command('workflow', 'assign', slug, '--company', companyId);
  }
};

/** A submission of each; what they come to meets answers that are none, and failures. */
const sentElsewhere = async (key: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = async (method: string, path: string) =>
    JSON.parse(
      (await stage.ask(method, path, { headers, ...(method === 'POST' ? { body: '{}' } : {}) })).text,
    );
  const ended = { read: 'failed', passed: 'synced' };
  for (const [slug, status] of Object.entries(ended)) {
    const session = await ask('POST', `/api/v1/workflows/${slug}/sessions`);
    const { method, url, headers: signed } = session.uploads[0];
    const { content, mimeType } = receiptText({ company: planted.company });
    const sent = { headers: { 'content-type': mimeType, ...signed }, body: String(content) };
    assert.is((await stage.ask(method, url, sent)).status, 200);
    await ask('POST', `/api/v1/workflows/${slug}/sessions/${session.sessionId}/submit`);
    const path = `/api/v1/submissions/${session.submissionId}`;
    await eventually(`${slug} is ${status}`, async () => {
      const { submissionStatus, sync } = await ask('GET', path);
      return submissionStatus === status || sync?.status === 'retrying';
    });
  }
};

/** Invitations, passwords and sessions of people, as they should be used and as they should not. */
const logIns = async (): Promise<void> => {
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: object, token?: string) =>
    stage.ask('POST', path, {
      headers: { ...json, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    });
  const invite = () => stage.command<Invited>('invite', '--email', people.email, '--role', 'super_admin');
  type Invited = Readonly<{ id: string; token: string }>;
  const [used, revoked] = [await invite(), await invite()];
  Object.assign(tokens, { used: used.token, revoked: revoked.token });
  await stage.command('invite', 'revoke', revoked.id);
  for (const token of Object.values(tokens)) {
    await stage.ask('GET', `/api/invitation/validate?token=${token}`);
    for (const password of [passwords.refused, passwords.chosen, passwords.wrong])
      await post('/api/invitation/complete', { token, password, name: people.name });
    await stage.ask('GET', `/api/invitation/validate?token=${token}&token=${token}`);
    await post('/api/auth/sessions', { email: people.email, password: passwords.wrong }, token);
  }
  const { text } = await post('/api/auth/sessions', { email: people.email, password: passwords.chosen });
  sessions.session = String(JSON.parse(text).token);
  await post('/api/internal/workflow-agent', { instruction: 'A receipt with a total' }, sessions.session);
  await inPage(people.email, passwords.chosen);
  for (const method of ['DELETE', 'DELETE', 'GET'])
    await stage.ask(method, '/api/auth/sessions', {
      headers: { authorization: `Bearer ${sessions.session}` },
    });
  await stage.ask('GET', '/api/v1/submissions', { headers: { authorization: `Bearer ${sessions.session}` } });
  await Promise.all([stage.told('user', 'list'), stage.told('invite', 'list')]);
};

/** A session in a cookie, as it should be used, with a credential too many, and from another site. */
const inPage = async (email: string, password: string): Promise<void> => {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password, session: 'cookie' });
  const { text, headers } = await stage.ask('POST', '/api/auth/sessions', { headers: json, body });
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  pages.token = cookie.split('=')[1] ?? '';
  csrf.token = String(JSON.parse(text).csrfToken);
  const own = { cookie, 'x-csrf-token': csrf.token };
  await stage.ask('GET', '/api/auth/me', { headers: own });
  for (const more of [{ authorization: `Bearer ${pages.token}` }, { origin: 'https://evil.example.com' }])
    await stage.ask('GET', '/api/auth/sessions', { headers: { ...own, ...more } });
  await stage.ask('DELETE', '/api/auth/sessions', { headers: { cookie, 'x-csrf-token': `${csrf.token}x` } });
  await stage.ask('DELETE', '/api/auth/sessions', { headers: own });
  await stage.ask('GET', '/api/auth/me', { headers: own });
};

/** What should not be done, and is. */
const misuse = async (valid: string, revoked: string): Promise<void> => {
  const { ask, raw } = stage;
  const bearing = (text: string) => ({
    headers: { authorization: text, 'content-type': 'application/json' },
  });
  for (const text of [revoked, slips.guess, `${valid}0`, slips.token, settings.METRICS_TOKEN])
    for (const path of ['/api/v1/submissions', `/api/v1/jobs/ses_${'0'.repeat(26)}`, '/metrics'])
      await ask('GET', path, bearing(`Bearer ${text}`));
  await ask(
    'GET',
    '/api/v1/submissions',
    bearing(`Basic ${Buffer.from(`u:${slips.password}`).toString('base64')}`),
  );
  for (const path of ['/api/v1/submissions', '/nowhere', '/health/ready', '/api/invitation/validate'])
    await ask('GET', `${path}?token=${slips.token}&key=${valid}`, {
      headers: { cookie: `a=${slips.header}` },
    });
  await ask('GET', `/api/v1/${valid}`);
  await ask('GET', `/api/v1/jobs/${valid}`, bearing(`Bearer ${valid}`));
  await ask('GET', `/api/invitation/${slips.token}`);
  for (const body of [
    `{"password":"${slips.password}`,
    JSON.stringify({ webhookUrl: `http://10.0.0.1/${hook.path}?x=${hook.query}` }),
    JSON.stringify({ metadata: slips.password, batchRef: `${slips.password} ${slips.token}` }),
    JSON.stringify({ files: [{ mimeType: slips.password, fileSize: slips.token, sha256: slips.header }] }),
    `{"metadata":{"a":"${slips.password}","a":1}}`,
  ]) {
    const init = { ...bearing(`Bearer ${valid}`), body };
    assert.match(String((await ask('POST', '/api/v1/workflows/receipt/sessions', init)).status), /^4/);
  }
  await raw(`GARBAGE ${valid}\r\n\r\n`);
  await raw(
    `GET /x?token=${slips.token} HTTP/1.1\r\nHost: a\r\nExpect: ${slips.header}\r\nConnection: close\r\n\r\n`,
  );
  await raw(
    `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${valid}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  await raw(`CONNECT ${slips.token}:443 HTTP/1.1\r\nHost: a\r\nProxy-Authorization: ${slips.header}\r\n\r\n`);
};

const only = (...names: readonly Place[]): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(names.map((name) => [name, places[name]]));
/** The client is told the path that it asked for, whatever it put there. */
const withoutInstance = (refusals: Buffer): Buffer =>
  Buffer.from(refusals.toString().replaceAll(/"instance":"[^"]*"/g, ''));

test('what is planted on purpose is found, in each form and each place', () => {
  const control = { control: requestId };
  for (const place of ['log', 'answers', 'refusals', 'log.db'] as const)
    assert.ok(findings(control, only(place)).includes(`control as plain in ${place}`), place);
  assert.ok(findings(planted, only('models.db')).some((found) => found.startsWith('metadata as plain')));
  assert.ok(findings(hashes, only('tables.db')).includes('valid as plain in tables.db'));
  for (const [form, bytes] of formsOf(slips.password)) {
    const place = Buffer.concat([Buffer.from('before '), bytes, Buffer.from(' behind')]);
    assert.ok(
      findings({ password: slips.password }, { place }).includes(`password as ${form} in place`),
      form,
    );
  }
  for (const before of ['', 'a', 'ab', 'user:']) {
    const place = Buffer.from(Buffer.from(`${before}${slips.password}, and more`).toString('base64'));
    assert.ok(findings({ password: slips.password }, { place }).length > 0, before);
  }
});

test('exported evidence holds what an auditor must see, and neither keys nor their hashes nor secrets of the settings', () => {
  const { metadata, company } = planted;
  assert.equal(
    findings({ metadata, company }, only('evidence')).filter((found) => found.includes(' plain ')),
    ['metadata as plain in evidence', 'company as plain in evidence'],
  );
  assert.equal(findings({ ...keys, ...hashes, ...settings }, only('evidence')), []);
});

test('no API key stands anywhere, in whatever way it was used', () => {
  assert.equal(findings(keys, { ...places, refusals: withoutInstance(places.refusals) }), []);
});

test('a key’s hash stands in the table of keys and nowhere else', () => {
  const { 'tables.db': _, ...others } = places;
  assert.equal(findings(hashes, others), []);
});

test('no token of an invitation and no password stands anywhere [invitations-10]', () => {
  assert.is(Object.keys(tokens).length, 2);
  assert.equal(findings({ ...tokens, ...passwords }, places), []);
});

test('a session’s token stands in the answer to who logs in and nowhere else', () => {
  assert.match(sessions.session ?? '', /^ast_/);
  const { answers, ...others } = places;
  assert.equal(findings(sessions, others), []);
  assert.is(answers.toString().split(sessions.session ?? '').length, 2);
});

test('a session’s cookie stands in the answer to the log-in and nowhere else, its CSRF token in answers only', () => {
  assert.match(pages.token ?? '', /^ast_/);
  assert.match(csrf.token ?? '', /^[\w-]{43}$/);
  const { answers, ...others } = places;
  assert.equal(findings({ ...pages, ...csrf }, others), []);
  assert.is(answers.toString().split(pages.token ?? '').length, 2);
});

test('hashes of tokens stand in their tables and nowhere else', () => {
  const hashed = Object.entries({ ...tokens, ...sessions, ...pages }).map(([name, token]) => [
    name,
    hashKey(token),
  ]);
  const { 'tables.db': _, ...others } = places;
  assert.equal(findings(Object.fromEntries(hashed), others), []);
});

test('who people are is neither logged nor told in refusals, and sealed in events', () => {
  assert.equal(findings(people, only('log', 'output', 'refusals', 'log.db')), []);
});

test('no secret of the settings stands anywhere', () => {
  assert.ok(asksOfTheAgent > 0);
  const [master, evidence] = [settings.MASTER_KEY, settings.EVIDENCE_KEY].map((key) =>
    Buffer.from(key, 'base64').toString('latin1'),
  );
  assert.equal(findings({ ...settings, master: master ?? '', evidence: evidence ?? '' }, places), []);
});

test('signatures of upload and download addresses stand in answers and nowhere else', () => {
  assert.is(Object.keys(signatures).length, 2);
  const { answers: _, ...others } = places;
  assert.equal(findings(signatures, others), []);
});

test('passwords and tokens that were sent to the wrong place stand nowhere', () => {
  assert.equal(findings(slips, { ...places, refusals: withoutInstance(places.refusals) }), []);
});

test('what a webhook’s address and its receiver’s answer hold is neither logged nor told in refusals, and sealed in events', () => {
  assert.equal(findings(hook, only('log', 'output', 'refusals', 'log.db', 'tables.db')), []);
  const { answer, cookie } = hook;
  assert.equal(findings({ cookie }, places), []);
  // Evidence has the private parts of events, how an answer begins among them (deliveries-9).
  const { evidence: _, ...others } = places;
  assert.equal(findings({ answer }, others), []);
});

test('the address of a workflow’s endpoint is told to nobody', () => {
  assert.equal(findings(endpoint, only('log', 'output', 'refusals', 'answers', 'commands', 'evidence')), []);
});

test('private data is neither logged nor told in refusals, and sealed in events', () => {
  assert.equal(findings(planted, only('log', 'output', 'refusals', 'log.db', 'tables.db')), []);
});
