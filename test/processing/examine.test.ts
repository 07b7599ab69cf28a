import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { FingerprintedPage } from '../../domain/fraud/pages.ts';
import { anyQuality } from '../../domain/pictureQuality.ts';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import type { WorkflowVersion } from '../../domain/workflow.ts';
import type { Processor } from '../../processing/engine/processor.ts';
import { examine } from '../../processing/examine.ts';
import { createExtractorAvailability, ExtractorUnavailable } from '../../processing/extractor/unavailable.ts';
import type { InputFile, Outcome, ProcessingVersion } from '../../processing/types.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import { standingClock } from '../controls/clock.ts';
import { memoryObjects } from '../controls/objects.ts';
import { failure } from '../controls/stores.ts';
import { extraction, historyOf } from '../controls/submission.ts';
import { version } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('processing/examine with an http extractor');
const workFolder = mkdtempSync(join(tmpdir(), 'intake-examine-'));
test.after(() => rmSync(workFolder, { recursive: true }));

const http = { url: 'https://reader.example.com', secretEnv: 'READER_SECRET' };
const readElsewhere = (checks: WorkflowVersion['processing']['fraud']['checks']): WorkflowVersion => {
  const { processing } = version;
  const fraud = { ...processing.fraud, checks };
  return { ...version, processing: { ...processing, extractor: { http }, fraud } };
};
const near = readElsewhere(['near_duplicate_image']);

const processing = historyOf.processing.reduce<Submission | null>(evolve, null) as Submission;
const [picture] = processing.files;
if (!picture) throw new Error('it has no file');
const text = { ...picture, fileId: 'fil_2', fileIndex: 1, label: 'back', mimeType: 'text/plain' };
const submission: Submission = { ...processing, files: [picture, text] };

const fingerprintedPages: readonly FingerprintedPage[] = [
  {
    visual: { fileId: picture.fileId, label: 'front', page: 1, width: 1, height: 1, strokes: '', words: [] },
    keys: [],
  } as never,
];
const extracted: Outcome = {
  kind: 'extracted',
  ...extraction,
  ...{
    confidence: 1,
    certainty: 1,
    findings: [],
    result: { fields: {}, pages: 1, files: [] },
    fingerprintedPages,
  },
};

/** One examination, and what was done in it. */
const examining = async (
  asked: WorkflowVersion,
  extract: () => Promise<Outcome>,
  over: Readonly<{ reading?: Outcome; isUnavailable?: boolean }> = {},
) => {
  const { reading = extracted, isUnavailable = false } = over;
  const done: string[] = [];
  const versions: ProcessingVersion[] = [];
  const memory = memoryObjects();
  for (const file of submission.files)
    memory.put(evidenceKey(submission.routing.submissionId, file), Buffer.from(file.label), file.mimeType);
  const note = (what: string, files: readonly InputFile[]): void => {
    const held = files.map(({ content }) =>
      typeof content === 'string' ? readFileSync(content, 'utf8') : Buffer.from(content).toString(),
    );
    done.push(`${what} ${held.join(' ')}`);
  };
  const processor: Pick<Processor, 'check' | 'process'> = {
    check: async (_formats, files) => {
      note('check', files);
      return { kind: 'checked' };
    },
    process: async (how, files) => {
      note('read', files);
      versions.push(how);
      return reading;
    },
  };
  const ports = {
    objects: memory.objects,
    processor: processor as Processor,
    extract: () => {
      done.push(`ask, files here: ${readdirSync(workFolder).length}`);
      return extract();
    },
    isUnavailable: () => isUnavailable,
    clock: standingClock().clock,
    workFolder,
    onFetched: () => undefined,
    onRead: () => done.push('pages counted'),
  };
  const examined = examine(ports)(submission, asked, new AbortController().signal);
  return { examined, done, versions };
};
const found = async (): Promise<Outcome> => ({ ...extracted, fingerprintedPages: undefined }) as never;

test('pictures are fingerprinted before the request, whatever their quality, and no fields are read', async () => {
  const { examined, done, versions } = await examining(near, found);
  const { pages, files, result } = await examined;
  assert.equal(done, ['check front back', 'read front', 'ask, files here: 0']);
  assert.equal([pages, files.length, result.kind], [fingerprintedPages, 2, 'extracted']);
  const [{ fingerprints, quality, outputSchema } = assert.unreachable() as never] = versions;
  assert.equal([fingerprints, quality, outputSchema], ['alone', anyQuality, []]);
  assert.not.ok('fingerprintedPages' in (result.kind === 'extracted' ? result.extraction : {}));
});

test('while the extractor is unavailable, pictures are fingerprinted after its answer, not at each attempt', async () => {
  const back = await examining(near, found, { isUnavailable: true });
  assert.equal((await back.examined).pages, fingerprintedPages);
  assert.equal(back.done, ['check front back', 'ask, files here: 0', 'read front']);
  const away = () => Promise.reject(new ExtractorUnavailable('answered 503'));
  const tried = await examining(near, away, { isUnavailable: true });
  assert.is((await failure(tried.examined)).name, 'ExtractorUnavailable');
  const refusing = async (): Promise<Outcome> => ({ kind: 'failed', reason: 'Too dark.' });
  const refused = await examining(near, refusing, { isUnavailable: true });
  assert.is((await refused.examined).result.kind, 'failed');
  for (const { done } of [tried, refused]) assert.equal(done, ['check front back', 'ask, files here: 0']);
  assert.equal(readdirSync(workFolder), []);
});

test('a picture that can’t be read has no fingerprint, and is no failure', async () => {
  const { examined } = await examining(near, found, { reading: { kind: 'failed', reason: 'damaged' } });
  const { pages, result } = await examined;
  assert.equal([pages, result.kind], [[], 'extracted']);
});

test('nothing is fingerprinted where the version has no check for near duplicates', async () => {
  const { examined, done } = await examining(readElsewhere(['duplicate_file']), found);
  assert.equal((await examined).pages, []);
  assert.equal(done, ['check front back', 'ask, files here: 0']);
});

test('an extractor is unavailable from its first failure to its next answer, for all its submissions', async () => {
  const { isUnavailable, observing } = createExtractorAvailability();
  const elsewhere = { ...submission, readBy: 'https://reader.example.com' };
  let isFailing = true;
  const extract = observing(async () => {
    if (isFailing) throw new ExtractorUnavailable('answered 503');
    return extracted;
  });
  const ask = () => extract(elsewhere, near, http, [], new AbortController().signal);
  assert.not.ok(isUnavailable(elsewhere));
  assert.is((await failure(ask())).name, 'ExtractorUnavailable');
  assert.equal([isUnavailable(elsewhere), isUnavailable(submission)], [true, false]);
  isFailing = false;
  await ask();
  assert.not.ok(isUnavailable(elsewhere));
});
