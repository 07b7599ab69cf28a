import * as assert from 'uvu/assert';
import { company, companyStream } from '../../../domain/company.ts';
import { allProjections } from '../../../projections/all.ts';
import { projectLive } from '../../../projections/engine/live.ts';
import { createProgress } from '../../../projections/engine/progress.ts';
import { noRecorder } from '../../../telemetry/recorder.ts';
import { examples, idOf } from '../../controls/events.ts';
import { context, keptReport, type Stores, temporaryStores } from '../../controls/stores.ts';
import { routing } from '../../controls/submission.ts';
import { eventually, suite } from '../../harness.ts';

const test = suite('live read models');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

test("an event that can't be folded quarantines its document, which is reported, and others go on", async () => {
  const { submissionId, companyId } = routing;
  const { actor, correlationId, causationId } = context;
  const metadata = {
    at: '2026-11-21T10:00:00.000Z',
    $correlationId: correlationId,
    $causationId: causationId,
    actor,
  };
  const orphan = { ...examples.SubmissionCancelled, id: idOf(1), metadata };
  await stores.log.append('submission-orphan', null, [orphan], () => submissionId);
  const create = { type: 'CreateCompany', companyId, name: 'ACME' } as const;
  const { position } = await stores.handle(company, companyStream(companyId), create, context);
  const { report, lines } = keptReport();
  const progress = createProgress(async () => null);
  const stop = new AbortController();
  const running = projectLive(
    { ...stores, projections: allProjections, recorder: noRecorder, progress, owner: 'one', report },
    stop.signal,
  );
  assert.ok(await progress.reached(position, 5_000));
  await eventually('the report', () => lines.length > 0);
  stop.abort();
  await running;
  assert.equal(
    lines.map(({ level, facts }) => [level, (facts as { document?: string }).document]),
    [['error', submissionId]],
  );
  // The log cuts out what is called `key`: the document must not be named so.
  assert.not.ok('key' in (lines[0]?.facts ?? {}));
  assert.ok(await stores.documents.models.get('companies', companyId));
});
