import * as assert from 'uvu/assert';
import type { Submission } from '../../domain/submission/state.ts';
import { submission } from '../../domain/submission/submission.ts';
import { createDownloads } from '../../http/routes/downloads.ts';
import type { DownloadTerms } from '../../stores/objects/port.ts';
import { standingClock } from '../controls/clock.ts';
import { created, submitted } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('download addresses');
const MINUTE_MS = 60_000;

/** A submission with one file, and what was asked of the object store. */
const given = (fail: () => boolean = () => false) => {
  const { clock, pass } = standingClock();
  const asked: DownloadTerms[] = [];
  const signDownload = async (terms: DownloadTerms) => {
    asked.push(terms);
    if (fail()) throw new Error('away');
    return { method: 'GET' as const, url: `https://store/${asked.length}`, headers: {} };
  };
  const addressOf = createDownloads({ signDownload }, clock);
  const state = [created, submitted].reduce(submission.evolve, submission.initial) as Submission;
  const urlOf = (fileName: string | null = null): Promise<string> => {
    const [file] = state.files;
    return addressOf(JSON.stringify({ ...file, submissionId: state.routing.submissionId, fileName }));
  };
  return { asked, pass, urlOf };
};

test('an address lives an hour and is given again for half of it [uploads-15]', async () => {
  const { asked, pass, urlOf } = given();
  assert.is(await urlOf(), 'https://store/1');
  pass(30 * MINUTE_MS - 1);
  assert.is(await urlOf(), 'https://store/1');
  pass(2);
  assert.is(await urlOf(), 'https://store/2');
  assert.equal(
    asked.map(({ expiresInSeconds }) => expiresInSeconds),
    [3_600, 3_600],
  );
});

test('an address that a clock signed which was set back since is not given again: it is not valid yet [operations-11]', async () => {
  const { pass, urlOf } = given();
  await urlOf();
  pass(-60 * MINUTE_MS);
  assert.is(await urlOf(), 'https://store/2');
  assert.is(await urlOf(), 'https://store/2');
});

test('it offers the file under the name that the client gave, else its label with the extension of its type [uploads-16]', async () => {
  const { asked, urlOf } = given();
  await urlOf();
  await urlOf('Beleg 1.png');
  assert.equal(
    asked.map(({ fileName }) => fileName),
    ['front.png', 'Beleg 1.png'],
  );
});

test('a signature that failed is asked for again', async () => {
  let away = true;
  const { urlOf } = given(() => away);
  await urlOf().then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'away'),
  );
  away = false;
  assert.is(await urlOf(), 'https://store/2');
});
