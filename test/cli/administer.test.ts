import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readConfig } from '../../runtime/settings/config.ts';
import { wireCore } from '../../runtime/wire.ts';
import { suite } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';
import { type Refusal, refusalOf, workplace } from './run.ts';

const test = suite('the command line: companies, workflows and keys without a server [cli-4]');
const place = workplace();
test.after(place.remove);

type List<T> = Readonly<{ data: readonly T[] }>;
type Key = Readonly<{ id: string; key: string; webhookSecret: string; standardWebhooksSecret: string }>;

const UNKNOWN = '01hv6x3m8q2r5t7w9y0a1b2c3d';
const definition = join(place.folder, 'receipt.json');
let acme = '';
let other = '';

test.before(async () => {
  writeFileSync(definition, JSON.stringify(receiptDefinition));
  const [one, two] = await Promise.all([
    place.json<{ id: string }>('company', 'create', '--name', ' Acme \u0441 '),
    place.json<{ id: string }>('company', 'create', '--name', 'Other'),
  ]);
  acme = one.id;
  other = two.id;
});

test('a company is in the list as soon as it is made', async () => {
  const { data } = await place.json<List<{ id: string; name: string }>>('company', 'list');
  assert.equal(data.map(({ name }) => name).sort(), ['Acme \u0441', 'Other']);
  assert.ok(data.some(({ id }) => id === acme));
  const { stdout } = await place.intake('company', 'list');
  assert.match(stdout, new RegExp(`^ID +NAME +CREATED\n(.*\n)*${acme}  Acme`));
});

test('what is due by the retention of a company is shown, with whether anything comes of it [retention-5]', async () => {
  const due = () => place.json('retention', 'due', acme);
  assert.equal(await due(), { data: [], counts: { due: 0, held: 0 }, isEnforced: false });
  const { stdout } = await place.intake('retention', 'due', acme);
  assert.match(
    stdout,
    /^0 submissions due, 0 more under a legal hold\. .* not enforced: nothing is redacted\.\n$/,
  );
  const unknown = refusalOf(await place.intake('retention', 'due', `cmp_${UNKNOWN}`, '--json'));
  assert.equal([unknown.code, unknown.exitCode], ['company-not-found', 1]);
});

test(
  'workflows are published version by version, assigned and unassigned',
  async () => {
    const slug = receiptDefinition.slug;
    assert.equal(await place.json('workflow', 'publish', definition), { slug, version: 1, notes: [] });
    assert.equal(await place.json('workflow', 'publish', definition), { slug, version: 2, notes: [] });
    const list = () => place.json<List<Record<string, unknown>>>('workflow', 'list');
    const assign = (verb: string, company: string) =>
      place.json('workflow', verb, slug, '--company', company);
    assert.equal(await assign('assign', acme), { slug, companyId: acme, assigned: true });
    await assign('assign', other);
    const [row, ...rest] = (await list()).data;
    assert.equal(rest, []);
    assert.is(row?.version, 2);
    assert.equal([...((row?.companies ?? []) as string[])].sort(), [acme, other].sort());
    assert.equal(await assign('unassign', other), { slug, companyId: other, assigned: false });
    assert.equal((await list()).data[0]?.companies, [acme]);
    assert.match((await place.intake('workflow', 'list')).stdout, new RegExp(`receipt +\\S+ +2 .*${acme}`));
    const types = async (...more: readonly string[]) =>
      (await place.intake('workflow', 'types', slug, ...more)).stdout;
    assert.match(
      await types(),
      /version 2 of the workflow `receipt` extracts\. \*\/\nexport type Receipt = \{\n/,
    );
    assert.match(await types('--version', '1'), /version 1 of/);
    const unknown = await place.intake('workflow', 'types', slug, '--version', '9');
    assert.match(unknown.stderr, /There is no version 9 of receipt\./);
  },
  { timeoutMs: 60_000 },
);

test('a gate refuses the next version, and is forced with a reason [evaluations-15, evaluations-17]', async () => {
  const gate = { set: { size: 20 }, maxWrong: 0.05 };
  const gated = join(place.folder, 'gated.json');
  writeFileSync(gated, JSON.stringify({ ...receiptDefinition, slug: 'gated', processing: { gate } }));
  const publish = (...options: readonly string[]) => ['workflow', 'publish', gated, ...options] as const;
  await place.json(...publish());
  const refused = refusalOf(
    await place.intake(...publish('--evaluation', `evl_${UNKNOWN}`, '--json')),
  ) as Refusal;
  assert.is(refused.code, 'publish-gate-closed');
  assert.match(refused.detail, 'It must be tried on 20 approved submissions first');
  const forced = await place.json(...publish('--force', 'the first version was a draft'));
  assert.equal(forced, { slug: 'gated', version: 2, notes: [] });
});

test(
  'what is not there is refused with a hint',
  async () => {
    const refused = async (...args: string[]): Promise<Refusal> =>
      refusalOf(await place.intake(...args, '--json'));
    const [company, workflow, key, companyOfKey, delivery, submission, sent, processed] = await Promise.all([
      refused('workflow', 'assign', 'receipt', '--company', `cmp_${UNKNOWN}`),
      refused('workflow', 'assign', 'gone', '--company', acme),
      refused('key', 'revoke', `key_${UNKNOWN}`),
      refused('key', 'create', '--company', `cmp_${UNKNOWN}`),
      refused('webhooks', 'show', '01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b'),
      refused('audit', `sub_${UNKNOWN}`),
      refused('webhooks', 'redeliver', '01932d8a-7c3e-7f60-9b1a-2f4c6d8e0a1b'),
      refused('submissions', 'reprocess', `sub_${UNKNOWN}`),
    ]);
    assert.is(company.code, 'company-not-found');
    assert.match(company.hint ?? '', /intake company list/);
    assert.is(workflow.code, 'workflow-not-found');
    assert.match(workflow.hint ?? '', /intake workflow list/);
    assert.is(key.code, 'api-key-not-found');
    assert.match(key.hint ?? '', /intake key list/);
    assert.is(companyOfKey.code, 'company-not-found');
    assert.is(delivery.code, 'webhook-delivery-not-found');
    assert.is(submission.code, 'submission-not-found');
    assert.is(sent.code, 'webhook-delivery-not-found');
    assert.match(sent.hint ?? '', /intake webhooks list/);
    assert.is(processed.code, 'submission-not-found');
    for (const refusal of [company, workflow, key, delivery, submission, sent, processed])
      assert.is(refusal.exitCode, 1);
  },
  { timeoutMs: 60_000 },
);

test(
  'a key shows its secrets once, and is listed without them [keys-9]',
  async () => {
    const [erp, unscoped] = await Promise.all([
      place.json<Key>('key', 'create', '--company', acme, '--name', 'ERP', '--test'),
      place.json<Key>('key', 'create', '--unscoped'),
    ]);
    const hash = createHash('sha256').update(erp.key).digest('hex');
    assert.match(erp.key, /^aok_[0-9a-f]{64}$/);
    assert.is(erp.webhookSecret, hash);
    assert.is(erp.standardWebhooksSecret, `whsec_${Buffer.from(hash).toString('base64')}`);
    const listed = await place.intake('key', 'list', '--json');
    for (const secret of [erp.key, erp.webhookSecret, erp.standardWebhooksSecret, unscoped.key]) {
      assert.not.ok(listed.stdout.includes(secret));
    }
    const { data } = JSON.parse(listed.stdout) as List<Record<string, unknown>>;
    const { createdAt, ...row } = data.find(({ id }) => id === erp.id) ?? {};
    assert.ok(Date.parse(String(createdAt)) > 0);
    assert.equal(row, {
      ...{ id: erp.id, name: 'ERP', companyId: acme, mode: 'test', createdBy: 'operator' },
      ...{ lastUsedAt: null, revokedAt: null, openSessions: 0, expiresAt: null, replacedBy: null },
    });
    const { companyId, mode } = data.find(({ id }) => id === unscoped.id) ?? {};
    assert.equal([companyId, mode], [null, 'live']);
  },
  { timeoutMs: 60_000 },
);

test('the text warns that the secrets are not shown again', async () => {
  const { stdout, code } = await place.intake('key', 'create', '--company', acme);
  assert.is(code, 0);
  assert.match(
    stdout,
    /^id +key_.*\nkey +aok_.*\nwebhookSecret +[0-9a-f]{64}\nstandardWebhooksSecret +whsec_\S+\n.*never shown again/,
  );
});

test(
  'a revoked key is refused from then on, and may be revoked again',
  async () => {
    const { id, webhookSecret } = await place.json<Key>('key', 'create', '--company', acme);
    const first = await place.json<{ revokedAt: string }>('key', 'revoke', id);
    const core = await wireCore(readConfig(place.settings));
    try {
      assert.is((await core.credentials.byHash(webhookSecret))?.revokedAt, first.revokedAt);
    } finally {
      await core.close();
    }
    assert.equal(await place.json('key', 'revoke', id), { id, revokedAt: first.revokedAt });
    const { data } = await place.json<List<{ id: string; revokedAt: string | null }>>('key', 'list');
    assert.ok(data.find((key) => key.id === id)?.revokedAt);
  },
  { timeoutMs: 60_000 },
);

test(
  'a key is rotated: the new one is shown once, the old one expires [keys-11]',
  async () => {
    type Rotated = Key & Readonly<{ replaced: Readonly<{ id: string; expiresAt: string }> }>;
    const old = await place.json<Key>('key', 'create', '--company', acme, '--name', 'ERP', '--test');
    const before = Date.now();
    const { replaced, ...made } = await place.json<Rotated>('key', 'rotate', old.id, '--overlap', '3600');
    assert.match(made.key, /^aok_[0-9a-f]{64}$/);
    assert.ok(Math.abs(Date.parse(replaced.expiresAt) - before - 3_600_000) < 60_000);
    const { data } = await place.json<List<Record<string, unknown>>>('key', 'list');
    const rowOf = (id: string) => data.find((row) => row.id === id);
    const { expiresAt, replacedBy } = rowOf(old.id) ?? {};
    assert.equal([expiresAt, replacedBy], [replaced.expiresAt, made.id]);
    const { name, mode, companyId } = rowOf(made.id) ?? {};
    assert.equal([name, mode, companyId], ['ERP', 'test', acme]);
    const refusals = [
      [['key', 'rotate', old.id], 'api-key-is-rotated', 1],
      [['key', 'rotate', `key_${UNKNOWN}`], 'api-key-not-found', 1],
      [['key', 'rotate', made.id, '--overlap', '2592001'], 'wrong-usage', 2],
      [['key', 'rotate', made.id, '--overlap', 'a day'], 'wrong-usage', 2],
    ] as const;
    for (const [args, code, exitCode] of refusals) {
      const refusal = refusalOf(await place.intake(...args, '--json'));
      assert.equal([refusal.code, refusal.exitCode], [code, exitCode]);
    }
    const { stdout } = await place.intake('key', 'rotate', made.id);
    assert.match(stdout, /^id +key_.*\nkey +aok_.*\n(.*\n)*The key key_.* is refused from .* on\.$/m);
  },
  { timeoutMs: 60_000 },
);

test('text of others moves no cursor', async () => {
  const name = 'Evil\u00adLtd';
  const { id } = await place.json<{ id: string }>('company', 'create', '--name', name);
  const { stdout } = await place.intake('company', 'list');
  assert.ok(stdout.includes(`${id}  Evil\\u00adLtd`), stdout);
});

test('a pattern that backtracks is published, with a note that names it [definitions-8]', async () => {
  const field = { name: 'code', required: false, type: 'string', validation: { pattern: '^(\\w+\\s?)*$' } };
  const file = join(place.folder, 'backtracking.json');
  writeFileSync(file, JSON.stringify({ ...receiptDefinition, slug: 'backtracking', outputSchema: [field] }));
  const answer = await place.json<{ version: number; notes: object[] }>('workflow', 'publish', file);
  assert.equal([answer.version, answer.notes.length], [1, 1]);
  const { code, stdout, stderr } = await place.intake('workflow', 'publish', file);
  assert.equal([code, stdout], [0, 'Published backtracking, version 2.\n']);
  assert.match(stderr, /^\/outputSchema\/0\/validation\/pattern backtracks: /m);
});
