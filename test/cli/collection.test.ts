import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Core } from '../../runtime/wire.ts';
import { historyOf } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';
import { openCoreOf } from '../support/core.ts';
import { documentOf, refusalOf, workplace } from './run.ts';

const test = suite('the command line: evidence of a filter [audit-8, audit-10]');
const place = workplace();
const at = (name: string): string => join(place.folder, name);
let core: Core;
let company: string;
let other: string;
test.before(async () => {
  core = await openCoreOf(place.settings);
  const create = async (name: string) =>
    (await place.json<{ id: string }>('company', 'create', '--name', name)).id;
  [company, other] = [await create('ACME'), await create('Other')];
  writeFileSync(at('key.pem'), (await place.json<{ publicKey: string }>('audit', 'key')).publicKey);
});
test.after(async () => {
  await core.close();
  place.remove();
});

type Facts = Readonly<{ companyId: string; mode: 'live' | 'test'; slug: string; day: string }>;

/** A submission of the company, unless `more` says otherwise; gives its identifier. */
const submission = async (
  history: readonly SubmissionEvent[],
  more: Partial<Facts> = {},
): Promise<string> => {
  const { slug, day, ...routed } = { ...FACTS, companyId: company, ...more };
  const submissionId = `sub_${core.ids.ulid()}`;
  const context = { $correlationId: 'c', $causationId: 'c', actor: { kind: 'operator', id: 'c' } } as const;
  const events = history.map(({ type, data }) => {
    const ofWorkflow = { workflow: { ...data.workflow, slug } };
    const event = { type, data: { ...data, ...routed, ...ofWorkflow, submissionId } } as SubmissionEvent;
    return { ...event, id: core.ids.event(), metadata: { at: `${day}T10:00:00.000Z`, ...context } };
  });
  await core.log.append(submissionStream(submissionId), null, events, () => submissionId);
  return submissionId;
};
const FACTS = { mode: 'live', slug: 'receipt', day: '2026-11-21' } as const;

type Verdict = Readonly<{
  holds: boolean;
  findings: readonly Readonly<{ file: string }>[];
  collection: Readonly<{ count: number; head: string; filter: Readonly<{ status: string }> }> | null;
}>;
const verify = (name: string) => runIntake({}, 'audit', 'verify', at(name), '--key', at('key.pem'), '--json');

test(
  'holds each submission that the filter names, and no other; any change ends with 1',
  async () => {
    const { approved, rejected } = historyOf;
    const ids = [await submission(approved), await submission(approved, { day: '2026-11-20' })];
    await submission(rejected);
    await submission(approved, { companyId: other });
    await submission(approved, { mode: 'test' });
    await submission(approved, { slug: 'invoice' });
    await submission(approved, { day: '2026-11-19' });
    await submission(approved, { day: '2026-11-22' });
    const words = ['--company', company, '--workflow', 'receipt', '--status', 'approved'];
    const days = ['--from', '2026-11-20', '--until', '2026-11-22T00:00:00Z'];
    const made = await place.intake('audit', 'export', ...words, ...days, '--out', at('some'), '--json');
    assert.match(made.stderr, /2 of 2 submissions/);
    assert.is(documentOf<{ count: number }>(made).count, 2);
    const { holds, collection } = documentOf<Verdict>(await verify('some'));
    assert.equal([holds, collection?.count, collection?.filter.status], [true, 2, 'approved']);
    assert.is(collection?.head, await core.log.head());
    const alone = await runIntake({}, 'audit', 'verify', at(`some/${ids[0]}.zip`), '--key', at('key.pem'));
    assert.is(alone.code, 0);

    for (const id of ids) rmSync(at(`some/${id}.zip`));
    const { code, stdout } = await verify('some');
    const { findings } = JSON.parse(stdout) as Verdict;
    assert.equal([code, findings.map(({ file }) => file).sort()], [1, ids.map((id) => `${id}.zip`).sort()]);
  },
  { timeoutMs: 60_000 },
);

test('of test mode there is another list, and a list of nothing is one', async () => {
  const exported = async (name: string, ...words: readonly string[]) =>
    (await place.json<{ count: number }>('audit', 'export', '--out', at(name), ...words)).count;
  assert.is(await exported('test', '--company', company, '--test'), 1);
  assert.is(await exported('none', '--company', other, '--status', 'failed'), 0);
  assert.is(documentOf<Verdict>(await verify('none')).holds, true);
});

test('needs a company that is there, or one submission', async () => {
  const refused = async (...words: readonly string[]) => {
    const { code, exitCode } = refusalOf(await place.intake('audit', 'export', ...words, '--json'));
    return [code, exitCode];
  };
  const id = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d';
  assert.equal(await refused(), ['wrong-usage', 2]);
  assert.equal(await refused('--status', 'approved'), ['wrong-usage', 2]);
  assert.equal(await refused(id, '--company', company), ['wrong-usage', 2]);
  assert.equal(await refused('--company', company, '--from', 'yesterday'), ['wrong-usage', 2]);
  assert.equal(await refused('--company', company, '--out', at('a.zip')), ['wrong-usage', 2]);
  assert.equal(await refused('--company', id.replace('sub', 'cmp')), ['company-not-found', 1]);
});
