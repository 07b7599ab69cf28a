import * as assert from 'uvu/assert';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import type { Processor } from '../../processing/engine/processor.ts';
import { TransientFailure } from '../../processing/errors.ts';
import { showPages } from '../../processing/showPages.ts';
import type { Drawn } from '../../processing/types.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import { memoryObjects } from '../controls/objects.ts';
import { failure } from '../controls/stores.ts';
import { historyOf } from '../controls/submission.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('turns of pages that are shown');

const submission = historyOf.processing.reduce<Submission | null>(evolve, null) as Submission;
const [submitted] = submission.files;
if (!submitted) throw new Error('it has no file');
const file = { ...submitted, fileSize: 4 };
const of = (companyId: string): Submission => ({
  ...submission,
  routing: { ...submission.routing, companyId },
});
const staying = new AbortController().signal;
const drawn: Drawn = { kind: 'drawn', as: 'text', bytes: Buffer.from('page') };

/** Pages whose drawing ends when it is told to; `begun` has the ends, in the order of their starts. */
const world = (isStored = true) => {
  const { objects, put } = memoryObjects();
  if (isStored) put(evidenceKey(submission.routing.submissionId, file), Buffer.from('page'), 'text/plain');
  const begun: ((result: Drawn | Error) => void)[] = [];
  const processor: Pick<Processor, 'list' | 'draw' | 'close'> = {
    list: () => Promise.reject(new Error('not asked here')),
    draw: () =>
      new Promise((resolve, reject) =>
        begun.push((result) => (result instanceof Error ? reject(result) : resolve(result))),
      ),
    close: async () => undefined,
  };
  const pages = showPages({ objects, workFolder: '/nowhere', processor });
  const draw = (companyId: string, gone = staying) => pages.draw(of(companyId), file, 1, 100, gone);
  const turns = (count: number) => eventually(`${count} turns`, () => begun.length === count);
  return { pages, begun, draw, turns };
};

test('a company has one page in progress, others have theirs; the next follows in order [file-pages-5]', async () => {
  const { begun, draw, turns } = world();
  const first = [draw('one'), draw('one')];
  const other = draw('other');
  await turns(2);
  begun[1]?.(drawn);
  assert.equal(await other, drawn);
  assert.is(begun.length, 2);
  begun[0]?.(drawn);
  await turns(3);
  begun[2]?.(drawn);
  assert.equal(await Promise.all(first), [drawn, drawn]);
});

test('64 may wait, one more is refused; a client that has gone is passed over [file-pages-5]', async () => {
  const { begun, draw, turns } = world();
  const leaving = new AbortController();
  const running = draw('one');
  await turns(1);
  const waiting = Array.from({ length: 63 }, () => draw('one', leaving.signal));
  const last = draw('one');
  const refused = failure(draw('one', leaving.signal));
  leaving.abort();
  begun[0]?.(drawn);
  await turns(2);
  begun[1]?.(drawn);
  assert.equal(await Promise.all([running, last]), [drawn, drawn]);
  const kinds = (await Promise.all(waiting)).map(({ kind }) => kind);
  assert.equal([kinds.length, ...new Set(kinds)], [63, 'not_shown']);
  assert.is((await refused).name, 'PagesBusy');
});

test('a failure for no fault of the file is a failure of now, and the next page has its turn', async () => {
  const { begun, draw, turns } = world();
  const broken = draw('one');
  await turns(1);
  begun[0]?.(new TransientFailure('the process ended'));
  const error = await failure(broken);
  assert.equal([error.name, /fil_.*the process ended/.test(error.message)], ['StoreUnavailable', true]);
  const next = draw('one');
  await turns(2);
  begun[1]?.(drawn);
  assert.equal(await next, drawn);
  assert.is((await failure(world(false).draw('one'))).name, 'StoreUnavailable', 'the evidence is not there');
});

test('a file of over 100 MiB is not fetched', async () => {
  const { pages, begun } = world();
  const large = { ...file, fileSize: 100 * 1_024 ** 2 + 1 };
  const result = await pages.draw(of('one'), large, 1, 100, staying);
  assert.match('reason' in result ? result.reason : result.kind, /over 100 MiB.*download/);
  assert.is(begun.length, 0);
});

test('what waits when the service stops is told so', async () => {
  const { pages, begun, draw, turns } = world();
  const errors = Promise.all([failure(draw('one')), failure(draw('one'))]);
  await turns(1);
  await pages.close();
  begun[0]?.(new TransientFailure('processing is closing'));
  for (const { message } of [...(await errors), await failure(draw('other'))])
    assert.is(message, 'the service is stopping');
});
