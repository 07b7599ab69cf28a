import * as assert from 'uvu/assert';
import { fillLog } from '../../bench/filledLog.ts';
import { QUARANTINE } from '../../projections/engine/quarantine.ts';
import { collectionOf } from '../../projections/engine/readModels.ts';
import type { RebuildEvent } from '../../projections/engine/rebuild/rebuild.ts';
import type { ProjectionStatus } from '../../projections/engine/status.ts';
import { submissions } from '../../projections/submissions.ts';
import type { Core } from '../../runtime/wire.ts';
import { suite } from '../harness.ts';
import { openCoreOf } from '../support/core.ts';
import { type Ended, workplace } from './run.ts';

const test = suite('the command line: projections [cli-10]');
const place = workplace();
let core: Core;
test.before(async () => {
  core = await openCoreOf(place.settings);
  await fillLog(core.log, 3, {}, false);
});
test.after(async () => {
  await core.close();
  place.remove();
});

const FIRST = collectionOf(submissions);
const SECOND = collectionOf(submissions, 2);
const line = (text: string): RegExp => new RegExp(`^${text}$`, 'm');

type Statuses = Readonly<{ data: readonly ProjectionStatus[] }>;

const statusOf = async (name: string): Promise<ProjectionStatus | undefined> =>
  (await place.json<Statuses>('projections', 'status')).data.find((one) => one.name === name);

const problemOf = ({ code, stdout, stderr }: Ended) => {
  assert.is(stdout, '');
  const { detail, hint } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Record<string, string>;
  return { code, detail, hint };
};

test('status shows what is to come before anything is made', async () => {
  const { data } = await place.json<Statuses>('projections', 'status');
  assert.equal(
    data.map(({ name }) => name),
    core.projections.map(({ name }) => name),
  );
  const [first] = data;
  assert.is(first?.state, 'absent');
  assert.equal([first?.serves, first?.position], [null, null]);
  assert.is(first?.lag.events, 21);
});

test('a rebuild without a server makes a read model; with --json it prints each step as a line', async () => {
  const { code, stdout, stderr } = await place.intake('projections', 'rebuild', 'submissions', '--json');
  assert.is(code, 0, stderr);
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RebuildEvent | { event: 'done'; seconds: number });
  assert.equal(
    told.map(({ event }) => event),
    ['begun', 'progress', 'holding', 'compared', 'serves', 'done'],
  );
  assert.equal(
    { ...told[1], perSecond: 0, secondsLeft: 0 },
    { event: 'progress', events: 21, total: 21, share: 1, perSecond: 0, secondsLeft: 0 },
  );
  const status = await statusOf('submissions');
  assert.equal(
    [status?.state, status?.serves, status?.lag, status?.rebuilding],
    ['live', { collection: FIRST, version: submissions.version }, { seconds: 0, events: 0 }, null],
  );
});

test('a rebuild of all names what it compared, for people', async () => {
  const { code, stdout, stderr } = await place.intake('projections', 'rebuild', '--all');
  assert.is(code, 0, stderr);
  assert.match(stdout, line(`submissions: fills ${SECOND}`));
  assert.match(stdout, /^21 of 21 events \(100 %\), [\d,]+\/s, 0 s left$/m);
  assert.match(stdout, /^submissions: 3 documents, 3 before; 0 of 3 compared differ$/m);
  assert.match(stdout, /^fraudIndex: 3 documents, none served before; 0 of 0 compared differ$/m);
  assert.match(stdout, line(`submissions: ${SECOND} serves now`));
  assert.match(stdout, line(`submissions: ${FIRST} was dropped`));
  const { data } = await place.json<Statuses>('projections', 'status');
  assert.ok(data.every(({ state }) => state === 'live'));
});

test('what is quarantined is shown with its error, and a retry lets it go on', async () => {
  const scope = { companyId: 'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d', mode: 'live' };
  const { items } = await core.submissions.rows(scope, 1, null);
  const { id: key } = JSON.parse(items.join()) as { id: string };
  const { events } = await core.log.load(`submission-${key.slice(4)}`);
  const last = events.at(-1);
  const row = {
    projection: 'submissions',
    collection: SECOND,
    key,
    eventId: last?.id,
    position: last?.position,
    error: 'Error: a fault of last week',
    after: null,
  };
  await core.documents.tables.insert(QUARANTINE, `${SECOND}/${key}`, row);
  const { quarantined } = (await statusOf('submissions')) ?? {};
  assert.equal(
    [quarantined?.count, quarantined?.documents[0]?.key, quarantined?.documents[0]?.error],
    [1, key, 'Error: a fault of last week'],
  );
  const { stdout } = await place.intake('projections', 'status');
  assert.ok(
    stdout.includes(`submissions: ${key} is quarantined at event ${last?.id}: Error: a fault of last week`),
  );
  assert.equal(await place.json('projections', 'retry', 'submissions'), {
    name: 'submissions',
    released: 1,
    held: [],
  });
  assert.is((await statusOf('submissions'))?.quarantined.count, 0);
  assert.match((await place.intake('projections', 'retry', 'submissions')).stdout, /^Nothing is quarantined/);
});

test('a wrong name, or none, is refused with the names there are', async () => {
  const unknown = problemOf(await place.intake('projections', 'rebuild', 'nope', '--json'));
  assert.is(unknown.code, 1);
  assert.match(unknown.hint ?? '', /^They are submissions, workflows, /);
  for (const words of [[], ['submissions', '--all']]) {
    const refused = problemOf(await place.intake('projections', 'rebuild', ...words, '--json'));
    assert.is(refused.code, 2);
    assert.match(refused.detail ?? '', /Give the name of a read model, or --all/);
  }
  assert.is(problemOf(await place.intake('projections', 'retry', 'nope', '--json')).code, 1);
});
