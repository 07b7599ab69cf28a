import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { roles } from '../../cli/runtime.ts';
import { serve } from '../../runtime/serve.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { documentOf } from '../cli/run.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { keptReader } from '../support/keptReader.ts';
import { peopleOf } from '../support/people.ts';
import { sharedService, type TestService, testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';

const test = suite('retention over HTTP');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;

test.before(async () => {
  service = await sharedService();
  people = await peopleOf(service);
});
test.after(() => people.close());

const at = (companyId: string, rest = '') => `/api/v1/companies/${companyId}/retention${rest}`;
const DEFAULT = { submissionDays: null, sessionDays: null, workflows: {}, perDay: 1_000, isEnforced: false };
const RULES = { submissionDays: 30, sessionDays: 7, workflows: { receipt: 20 }, perDay: 2, isEnforced: true };

test('nothing is kept for a time only until an administrator says so, which is an activity [retention-1]', async () => {
  const { id, key } = await service.company();
  const { api } = await people.user(id);
  const first = await api.get(at(id));
  assert.equal([first.status, first.body], [200, DEFAULT]);
  const changed = await api.call('PUT', at(id), { body: RULES });
  assert.equal([changed.status, changed.body], [200, RULES]);
  const { body, headers } = await api.get(at(id));
  assert.equal([body, headers.get('etag')], [RULES, changed.headers.get('etag')]);
  const stale = await api.call('PUT', at(id), {
    body: { isEnforced: false },
    headers: { 'if-match': first.headers.get('etag') ?? '' },
  });
  assert.is(stale.status, 412);
  const off = await api.call('PUT', at(id), { body: { isEnforced: false } });
  assert.equal(off.body, DEFAULT, 'what is left out is kept for ever');
  const { data } = (await api.get('/api/v1/activity?type=company.retention_changed')).body;
  assert.equal([data.length, data[0]?.subject], [2, { kind: 'company', id }]);
  assert.is((await client(service.url, key).get(at(id))).status, 401);
});

test('it is for administrators of the company alone [retention-1]', async () => {
  const [own, other] = [await service.company(), await service.company()];
  const [admin, superAdmin] = [await people.user(own.id), await people.user()];
  for (const path of [at(other.id), at(other.id, '/due')]) assert.is((await admin.api.get(path)).status, 404);
  assert.is((await admin.api.call('PUT', at(other.id), { body: RULES })).status, 404);
  assert.is((await superAdmin.api.call('PUT', at(own.id), { body: RULES })).status, 200);
  assert.is((await superAdmin.api.get(at(own.id, '/due'))).status, 200);
  for (const role of ['reviewer', 'auditor'] as const) {
    const { api } = await people.user(own.id, role);
    const answers = [await api.get(at(own.id)), await api.get(at(own.id, '/due'))];
    answers.push(await api.call('PUT', at(own.id), { body: RULES }));
    assert.equal(
      answers.map(({ status }) => status),
      [403, 403, 403],
      role,
    );
  }
});

test('numbers out of bounds are refused by name [retention-2]', async () => {
  const { id } = await service.company();
  const { api } = await people.user(id);
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`w${n}`, 1]));
  for (const [members, pointer] of [
    [{ submissionDays: 0 }, '/submissionDays'],
    [{ submissionDays: 36_501 }, '/submissionDays'],
    [{ sessionDays: 1.5 }, '/sessionDays'],
    [{ perDay: 0 }, '/perDay'],
    [{ perDay: 100_001 }, '/perDay'],
    [{ workflows: { receipt: 0 } }, '/workflows/receipt'],
    [{ workflows: { 'No Slug': 1 } }, '/workflows'],
    [{ workflows: many }, '/workflows'],
    [{ isEnforced: 'yes' }, '/isEnforced'],
  ] as const) {
    const answer = await api.call('PUT', at(id), { body: { isEnforced: true, ...members } });
    const [fault] = answer.body.errors ?? [];
    assert.is(answer.status, 422, answer.text);
    assert.ok(fault.pointer.startsWith(pointer), answer.text);
  }
  const bound = await api.call('PUT', at(id), {
    body: { submissionDays: 36_500, sessionDays: 1, perDay: 100_000, isEnforced: true },
  });
  assert.is(bound.status, 200, bound.text);
});

const DAY_MS = 86_400_000;

test(
  'what the list names when it is due, and nothing else, is then redacted by the service, and a legal hold keeps it [retention-3, retention-4, retention-5, retention-6, retention-7]',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'intake-retention-'));
    const settings = testSettings(dataDir, { SWEEP: '1s', SESSION_TTL: '1h' });
    const { key, companyId } = await createTenant(settings);
    const other = await createTenant(settings);
    /** The service, as it is so many days before now, while `body` runs; its administrator is logged in. */
    const served = async (
      daysAgo: number,
      body: (api: Client, admin: Client, others: Client) => Promise<void>,
    ): Promise<void> => {
      const config = readConfig(settings);
      const clock = { now: () => new Date(Date.now() - daysAgo * DAY_MS) };
      const running = await serve(config, roles, undefined, keptReader, clock);
      const own = await peopleOf({ url: running.url ?? '', config });
      try {
        const [api, others] = [key, other.key].map((each) => client(running.url ?? '', each)) as [
          Client,
          Client,
        ];
        await body(api, (await own.user(companyId)).api, others);
      } finally {
        await own.close();
        await running.close();
      }
    };
    const due = async (admin: Client) => {
      const { body } = await admin.get(at(companyId, '/due'));
      const shown = body.data.map((row: { submissionId: string; isHeld: boolean }) => [
        row.submissionId,
        row.isHeld,
      ]);
      return { rows: shown, counts: body.counts };
    };
    const made: string[] = [];
    try {
      await served(100, async (api, _admin, others) => {
        const process = async (from: Client) => (await from.process([receiptText()])).submissionId as string;
        made.push(await process(api), await process(api));
        made.push(await process(others));
        made.push((await api.open([])).submissionId);
        const [, held] = made;
        const hold = `/api/v1/submissions/${held}/legal-hold`;
        assert.is((await api.post(hold, { reason: 'tax' })).status, 200);
      });
      const [plain = '', held = '', foreign = '', session = ''] = made;
      const redactionOf = async (api: Client, id: string) =>
        (await api.get(`/api/v1/submissions/${id}`)).body.redaction;
      await served(98, async (api, admin) => {
        const state = async () => (await api.job({ sessionId: `ses_${session.slice(4)}` })).body.state;
        await eventually('the session expires', async () => (await state()) === 'expired');
        const rules = { ...RULES, isEnforced: false };
        assert.is((await admin.call('PUT', at(companyId), { body: rules })).status, 200);
        assert.equal(await due(admin), { rows: [], counts: { due: 0, held: 0 } });
      });
      await served(79, async (api, admin, others) => {
        const rows = [
          [plain, false],
          [held, true],
          [session, false],
        ];
        const found = await due(admin);
        assert.equal([found.rows.sort(), found.counts], [rows.sort(), { due: 2, held: 1 }]);
        const { data } = (await admin.get(at(companyId, '/due?limit=1'))).body;
        assert.equal([data.length, data[0].submissionId, data[0].kind], [1, session, 'session']);
        const changed = await admin.call('PUT', at(companyId), { body: RULES });
        assert.is(changed.status, 200);
        for (const id of [plain, session])
          await eventually('the redaction', async () => (await redactionOf(api, id)) === 'done', 60_000);
        assert.equal(await due(admin), { rows: [[held, true]], counts: { due: 0, held: 1 } });
        assert.is(await redactionOf(api, held), null);
        assert.is(await redactionOf(others, foreign), null);
        const { events } = (await api.get(`/api/v1/submissions/${plain}`)).body;
        const { details } = events.find(
          ({ type }: { type: string }) => type === 'submission.redaction_requested',
        );
        assert.equal([details.legalBasis, details.requestedBy], ['retention', null]);
        assert.match(details.reason, '20 days');
        const query = `type=submission.redaction_requested&subject=${plain}`;
        const [row] = (await admin.get(`/api/v1/activity?${query}`)).body.data;
        assert.equal(row.actor, { kind: 'system', id: 'retention' });
      });
      const { counts, data } = documentOf<{ counts: object; data: readonly { submissionId: string }[] }>(
        await runIntake(settings, 'retention', 'due', companyId, '--json'),
      );
      assert.equal([counts, data.map(({ submissionId }) => submissionId)], [{ due: 0, held: 1 }, [held]]);
      const { stdout } = await runIntake(settings, 'retention', 'due', companyId);
      assert.match(stdout, new RegExp(`${held} +submission +live +receipt .* held\\n`));
      assert.match(stdout, /0 submissions due, 1 more under a legal hold\. .* at most 2 a day\.\n$/);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  { timeoutMs: 170_000 },
);
