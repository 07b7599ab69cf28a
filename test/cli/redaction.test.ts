import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { roles } from '../../cli/runtime.ts';
import { serve } from '../../runtime/serve.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { eventually, suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { keptReader } from '../support/keptReader.ts';
import { peopleOf } from '../support/people.ts';
import { sharedService, testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';
import { documentOf, refusalOf } from './run.ts';

const test = suite('redaction and retention by command');
const BASIS = ['--reason', 'article 17', '--legal-basis', 'erasure_request'];
let api: Client;
let intake: (...words: readonly string[]) => ReturnType<typeof runIntake>;

test.before(async () => {
  const service = await sharedService();
  const company = await service.company();
  api = company.api;
  const settings = { INTAKE_URL: service.url, INTAKE_KEY: company.key };
  intake = (...words) => runIntake(settings, ...words);
});

const opened = async (): Promise<string> => (await api.open([])).submissionId;
const redactionOf = async (id: string) => (await api.get(`/api/v1/submissions/${id}`)).body.redaction;

test('a submission is redacted, by its identifier or its session’s, and says once it is done [redaction-1]', async () => {
  const id = await opened();
  const redact = (...more: readonly string[]) =>
    intake('submissions', 'redact', `ses_${id.slice(4)}`, ...BASIS, ...more);
  const first = await redact('--requested-by', 'ticket 4711');
  assert.is(first.code, 0, first.stderr);
  assert.match(first.stdout, new RegExp(`^${id} (shows nothing private any more|is redacted)`));
  const { body } = await api.get(`/api/v1/submissions/${id}/events`);
  const { details } = body.data.find(
    ({ type }: { type: string }) => type === 'submission.redaction_requested',
  );
  const { reason, legalBasis, requestedBy } = details;
  assert.equal([reason, legalBasis, requestedBy], ['article 17', 'erasure_request', 'ticket 4711']);
  await eventually('it is done', async () => (await redactionOf(id)) === 'done');
  assert.is((await redact()).stdout, `${id} is redacted.\n`);
  const { submissionId, submissionStatus, redaction } = documentOf<Record<string, unknown>>(
    await redact('--json'),
  );
  assert.equal([submissionId, submissionStatus, redaction], [id, 'cancelled', 'done']);
});

test('what is under a legal hold is refused until it is released [hold-1, hold-2]', async () => {
  const id = await opened();
  const of = (verb: string, ...more: readonly string[]) => intake('submissions', verb, id, ...more, '--json');
  const { legalHold } = documentOf<{ legalHold: unknown }>(await of('hold', '--reason', 'proceedings'));
  assert.ok(legalHold);
  const refused = refusalOf(await of('redact', ...BASIS));
  assert.equal([refused.code, refused.exitCode], ['legal-hold', 1]);
  assert.is(await redactionOf(id), null);
  assert.is(documentOf<{ legalHold: unknown }>(await of('release')).legalHold, null);
  assert.ok(
    ['requested', 'done'].includes(documentOf<{ redaction: string }>(await of('redact', ...BASIS)).redaction),
  );
});

test('a redaction without a reason or a basis, of no known basis, or of nothing is refused, and redacts nothing [redaction-1]', async () => {
  const id = await opened();
  for (const words of [
    ['--legal-basis', 'erasure_request'],
    ['--reason', 'article 17'],
    ['--reason', 'article 17', '--legal-basis', 'whim'],
  ]) {
    const { code, stdout, stderr } = await intake('submissions', 'redact', id, ...words);
    assert.equal([code, stdout], [2, ''], stderr);
    assert.match(stderr, /--(reason|legal-basis)/);
  }
  const unknown = refusalOf(
    await intake('submissions', 'redact', `sub_${'0'.repeat(26)}`, ...BASIS, '--json'),
  );
  assert.equal([unknown.code, unknown.exitCode], ['not-found', 1]);
  assert.is(await redactionOf(id), null);
});

const DAY_MS = 86_400_000;

test(
  'what is due is listed before anything is redacted by it, and nothing of another company [retention-5, retention-7]',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'intake-due-'));
    const settings = testSettings(dataDir);
    const own = await createTenant(settings);
    const other = await createTenant(settings);
    const clock = { now: () => new Date(Date.now() - 100 * DAY_MS) };
    const config = readConfig(settings);
    const running = await serve(config, roles, undefined, keptReader, clock);
    const people = await peopleOf({ url: running.url ?? '', config });
    const due = (...more: readonly string[]) =>
      runIntake(settings, 'retention', 'due', own.companyId, ...more);
    try {
      const [mine, theirs] = [own.key, other.key].map((key) => client(running.url ?? '', key));
      const process = async (by = mine): Promise<string> =>
        (await by?.process([receiptText()]))?.submissionId;
      const [plain, held] = [await process(), await process()];
      await process(theirs);
      await mine?.post(`/api/v1/submissions/${held}/legal-hold`, { reason: 'tax' });
      const { api: administrator } = await people.user(own.companyId);
      const set = await administrator.call('PUT', `/api/v1/companies/${own.companyId}/retention`, {
        body: { submissionDays: 90, isEnforced: false },
      });
      assert.is(set.status, 200, set.text);
      await people.close();
      await running.close();

      const { data, counts, isEnforced } = documentOf<{
        data: readonly Readonly<{ submissionId: string; isHeld: boolean; mode: string }>[];
        counts: object;
        isEnforced: boolean;
      }>(await due('--json'));
      const rows = data.map(({ submissionId, isHeld, mode }) => [submissionId, isHeld, mode]);
      assert.equal(
        rows.sort(),
        [
          [plain, false, 'live'],
          [held, true, 'live'],
        ].sort(),
      );
      assert.equal([counts, isEnforced], [{ due: 1, held: 1 }, false]);
      const { code, stdout } = await due();
      assert.is(code, 0);
      assert.match(stdout, /^ID +KIND +MODE +WORKFLOW +ENDED +DUE SINCE +LEGAL HOLD *\n/);
      assert.match(stdout, new RegExp(`${held} +submission +live +receipt .* held *\n`));
      assert.match(stdout, new RegExp(`${plain} +submission +live +receipt `));
      assert.match(stdout, /\n1 submission due, 1 more under a legal hold\. .* nothing is redacted\.\n$/);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  { timeoutMs: 120_000 },
);

test('a company that is none is refused', async () => {
  const { code, stderr } = await runIntake({}, 'retention', 'due', 'receipt');
  assert.is(code, 2);
  assert.match(stderr, /company/);
});
