import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { Core } from '../../runtime/wire.ts';
import { historyOf } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { openCoreOf } from '../support/core.ts';
import { documentOf, workplace } from './run.ts';

const test = suite('the command line: what it says of the read models');
const place = workplace();
let core: Core;
test.before(async () => {
  core = await openCoreOf(place.settings);
});
test.after(async () => {
  await core.close();
  place.remove();
});

const append = async (keyId: string, history: readonly SubmissionEvent[]): Promise<void> => {
  const id = core.ids.ulid();
  const submissionId = `sub_${id}`;
  const context = { $correlationId: 'c', $causationId: 'c', actor: { kind: 'key', id: keyId } } as const;
  const metadata = { at: new Date().toISOString(), ...context };
  const events = history.map((event) => ({
    ...({ ...event, data: { ...event.data, submissionId, keyId } } as SubmissionEvent),
    id: core.ids.event(),
    metadata,
  }));
  await core.log.append(submissionStream(submissionId), null, events, () => submissionId);
};

test(
  'counts the open sessions of each key [cli-5]',
  async () => {
    const [one, two] = await Promise.all([
      place.json<{ id: string }>('key', 'create', '--unscoped'),
      place.json<{ id: string }>('key', 'create', '--unscoped'),
    ]);
    const { created, processing, approved, cancelled, failed } = historyOf;
    for (const history of [created, created, processing, approved, cancelled, failed])
      await append(one.id, history);
    await append(one.id, processing.slice(0, 2));
    await append(two.id, created);
    const { data } = await place.json<{ data: { id: string; openSessions: number }[] }>('key', 'list');
    const open = new Map(data.map(({ id, openSessions }) => [id, openSessions]));
    assert.equal([open.get(one.id), open.get(two.id)], [4, 1]);
  },
  { timeoutMs: 60_000 },
);

test(
  'says on standard error when they stay behind the log, and answers all the same',
  async () => {
    const { position } = await core.administer.createCompany('Late', {
      actor: { kind: 'operator', id: 'test' },
      correlationId: 'c',
      causationId: 'c',
    });
    assert.ok(position);
    const fence = await core.documents.leases.acquire('projections', 'somebody who hangs', 60_000);
    assert.ok(fence);
    const ended = await place.intake('company', 'list', '--json');
    assert.equal(documentOf(ended), { data: [] });
    const { notice } = JSON.parse(ended.stderr) as { notice: string };
    assert.match(notice, /read models are behind the log/);
    await core.documents.leases.release(fence);
    const later = await place.json<{ data: { name: string }[] }>('company', 'list');
    assert.equal(
      later.data.map(({ name }) => name),
      ['Late'],
    );
  },
  { timeoutMs: 60_000 },
);

test(
  'refuses a list whose read model came with this release until it is built, and says how [operations-22]',
  async () => {
    await place.json('company', 'create', '--name', 'Early');
    await core.documents.models.alias('workflowCatalog', 'workflowCatalog');
    const { code, stderr } = await place.intake('workflow', 'list');
    assert.is(code, 1);
    assert.match(stderr, /read model workflowCatalog came with this release and is being built/);
    assert.match(stderr, /intake projections rebuild/);
    assert.is((await place.intake('projections', 'rebuild', 'workflowCatalog')).code, 0);
    assert.equal((await place.json<{ data: object[] }>('workflow', 'list')).data, []);
  },
  { timeoutMs: 60_000 },
);
