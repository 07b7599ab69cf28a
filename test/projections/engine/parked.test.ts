import * as assert from 'uvu/assert';
import { reviewSubmission } from '../../../commands/reviewSubmission.ts';
import { submissionStream } from '../../../domain/submission/submission.ts';
import type { Event } from '../../../kernel/event.ts';
import { allProjections } from '../../../projections/all.ts';
import { projectLive } from '../../../projections/engine/live.ts';
import { forgetParked, parkedEvents, parkedFor } from '../../../projections/engine/parked.ts';
import { createProgress } from '../../../projections/engine/progress.ts';
import { remove } from '../../../projections/engine/projection.ts';
import { envelopes } from '../../../projections/feed.ts';
import { submissionAsOf } from '../../../projections/submissionFromLog.ts';
import type { SubmissionDocument } from '../../../projections/submissions.ts';
import { eventCatalogue } from '../../../schemas/events.ts';
import { noRecorder } from '../../../telemetry/recorder.ts';
import { context, keptReport, type Stores, temporaryStores } from '../../controls/stores.ts';
import { created, processed, routing, started, submitted } from '../../controls/submission.ts';
import { suite } from '../../harness.ts';
import { counter } from '../counter.ts';

const test = suite('parked events');

const { submissionId } = routing;
const stream = submissionStream(submissionId);
const praised: Event = { type: 'SubmissionPraised', data: { ...routing, private: { words: 'well done' } } };

/** Appends to the submission's stream as another release would. */
const write = async (stores: Stores, events: readonly Event[], schema = 1): Promise<void> => {
  const { actor, correlationId: $correlationId, causationId: $causationId } = context;
  const metadata = { schema, at: stores.clock.now().toISOString(), $correlationId, $causationId, actor };
  const { head } = await stores.stored.load(stream);
  const added = events.map((event) => ({ ...event, id: stores.ids.event(), metadata }));
  await stores.stored.append(stream, head, added, () => submissionId);
};

/**
 * Lets the live read models come to the end of the log, twice as a process that was killed before its
 * checkpoint would.
 */
const project = async (stores: Stores): Promise<void> => {
  const { report, lines } = keptReport();
  const progress = createProgress(async () => null);
  const stop = new AbortController();
  const ports = {
    ...stores,
    projections: allProjections,
    recorder: noRecorder,
    progress,
    owner: 'one',
    report,
  };
  const running = projectLive(ports, stop.signal);
  assert.ok(await progress.reached((await stores.log.head()) as never, 5_000));
  stop.abort();
  await running;
  assert.equal(lines, []);
};

const documentOf = (stores: Stores) =>
  stores.documents.models.get<SubmissionDocument>('submissions', submissionId);

let stores: Stores;
test.before(async () => {
  stores = temporaryStores();
  await write(stores, [created, submitted, praised, started, processed('review')]);
  await write(stores, [praised]);
  await write(stores, [created], 2);
  await project(stores);
});
test.after(() => stores.remove());

test('an unknown event is skipped by the read models and parked without its data', async () => {
  assert.equal(
    [(await documentOf(stores))?.revision, (await documentOf(stores))?.submission.status],
    [4, 'review'],
  );
  const rows = await parkedEvents(stores.documents.tables);
  assert.equal(
    rows.map(({ revision, type, schema }) => [revision, type, schema]),
    [
      [2, 'SubmissionPraised', 1],
      [5, 'SubmissionPraised', 1],
      [6, 'SessionCreated', 2],
    ],
  );
  const [first] = (await stores.log.load(stream)).unknown;
  assert.equal(rows[0], {
    ...{ position: first?.position, stream, revision: 2, id: first?.id },
    ...{ type: 'SubmissionPraised', schema: 1 },
  });
  await project(stores);
  assert.is((await parkedEvents(stores.documents.tables)).length, 3);
});

test('as-of reads leave them out: at their revision the document is that of the one before', async () => {
  const document = await documentOf(stores);
  if (!document) throw new Error('there is no document');
  const past = submissionAsOf(stores.log);
  assert.equal(
    (await past.events(document)).map(({ revision }) => revision),
    [0, 1, 3, 4],
  );
  const at = async (revision: number) => (await past.at(document, { revision }))?.submission.state;
  assert.equal(await Promise.all([1, 2, 3, 4, 5].map(at)), [
    'queued',
    'queued',
    'processing',
    'completed',
    undefined,
  ]);
});

test('a feed that names one is not answered with the event before it', async () => {
  const tell = envelopes(stores.log);
  assert.is((await tell([{ stream, revision: 4 }])).length, 1);
  const error = await tell([{ stream, revision: 5 }]).catch((caught: Error) => caught);
  assert.instance(error, Error);
});

test('commands continue behind them, and If-Match is compared with the visible revision', async () => {
  const seen: number[] = [];
  const approve = { type: 'Approve', comment: null, actor: null, corrections: {} } as const;
  const review = reviewSubmission(stores);
  const { revision } = await review(submissionId, approve, context, (shown) => void seen.push(shown));
  assert.equal([seen, revision], [[4], 7]);
  await project(stores);
  assert.is((await documentOf(stores))?.submission.status, 'approved');
});

test('a release that supports them names the affected read models, and then removes the parked rows', async () => {
  const { tables } = stores.documents;
  const praises = { ...counter(), prefixes: ['submission-'], on: { SubmissionPraised: remove } };
  const elsewhere = { ...praises, prefixes: ['company-'] };
  const some = [...allProjections, praises as never, elsewhere as never];
  const nothing = await parkedFor(tables, some, eventCatalogue.canRead);
  assert.equal([nothing.rows, nothing.projections], [[], []]);
  const found = await parkedFor(tables, some, (type) => type === 'SubmissionPraised');
  assert.equal(
    [found.rows.map(({ revision }) => revision), found.projections.map(({ name }) => name)],
    [[2, 5], [praises.name]],
  );
  const newer = await parkedFor(tables, some, (type, schema) => type === 'SessionCreated' && schema === 2);
  assert.ok(newer.projections.some(({ name }) => name === 'submissions'));
  await forgetParked(tables, found.rows);
  assert.equal(
    (await parkedEvents(tables)).map(({ type }) => type),
    ['SessionCreated'],
  );
});
