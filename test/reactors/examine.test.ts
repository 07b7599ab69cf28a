import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { anyQuality } from '../../domain/pictureQuality.ts';
import type { PageLikeness } from '../../domain/submission/prints.ts';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import type { WorkflowVersion } from '../../domain/workflow.ts';
import type { Processor } from '../../processing/process.ts';
import type { InputFile, Outcome, ProcessingVersion } from '../../processing/types.ts';
import { examine } from '../../reactors/examine.ts';
import { ExtractorAway } from '../../reactors/extract/extractorAway.ts';
import { evidenceKey } from '../../stores/objects/keys.ts';
import { standingClock } from '../controls/clock.ts';
import { memoryObjects } from '../controls/objects.ts';
import { failure } from '../controls/stores.ts';
import { extraction, historyOf } from '../controls/submission.ts';
import { version } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('examining files that are read elsewhere');
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

const likeness: readonly PageLikeness[] = [
  {
    print: { fileId: picture.fileId, label: 'front', page: 1, width: 1, height: 1, strokes: '', words: [] },
    keys: [],
  } as never,
];
const extracted: Outcome = {
  kind: 'extracted',
  ...extraction,
  ...{ confidence: 1, certainty: 1, findings: [], result: { fields: {}, pages: 1 }, likeness },
};

/** One examination, and what was done in it. */
const examining = async (
  asked: WorkflowVersion,
  extract: () => Promise<Outcome>,
  reading: Outcome = extracted,
) => {
  const done: string[] = [];
  const versions: ProcessingVersion[] = [];
  const memory = memoryObjects();
  for (const file of submission.files)
    memory.put(evidenceKey(submission.routing.submissionId, file), Buffer.from(file.label), file.mimeType);
  const note = (what: string, files: readonly InputFile[]): void => {
    const held = files.map(({ path }) => readFileSync(path, 'utf8'));
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
    clock: standingClock().clock,
    workFolder,
    onFetched: () => undefined,
    onRead: () => done.push('pages counted'),
  };
  const examined = examine(ports)(submission, asked, new AbortController().signal);
  return { examined, done, versions };
};
const found = async (): Promise<Outcome> => ({ ...extracted, likeness: undefined }) as never;

test('its pictures are read for near duplicates once the extractor has answered, whatever their quality, for no fields', async () => {
  const { examined, done, versions } = await examining(near, found);
  const { pages, files, result } = await examined;
  assert.equal(done, ['check front back', 'ask, files here: 0', 'read front']);
  assert.equal([pages, files.length, result.kind], [likeness, 2, 'extracted']);
  const [{ likeness: looks, quality, outputSchema } = assert.unreachable() as never] = versions;
  assert.equal([looks, quality, outputSchema], [true, anyQuality, []]);
  assert.not.ok('likeness' in (result.kind === 'extracted' ? result.extraction : {}));
});

test('a picture that can’t be read here has none, and that is not for this to judge', async () => {
  const { examined } = await examining(near, found, { kind: 'failed', reason: 'damaged' });
  const { pages, result } = await examined;
  assert.equal([pages, result.kind], [[], 'extracted']);
});

test('they are not read where the version looks for no near duplicates, nor where there is no result', async () => {
  const without = await examining(readElsewhere(['duplicate_file']), found);
  await without.examined;
  const refused = await examining(near, async () => ({ kind: 'failed', reason: 'Too dark.' }));
  assert.is((await refused.examined).result.kind, 'failed');
  for (const { done } of [without, refused]) assert.equal(done, ['check front back', 'ask, files here: 0']);
});

test('nor at a try of an extractor that is away, which leaves no file here', async () => {
  const { examined, done } = await examining(near, () => Promise.reject(new ExtractorAway('answered 503')));
  assert.is((await failure(examined)).name, 'ExtractorAway');
  assert.equal(done, ['check front back', 'ask, files here: 0']);
  assert.equal([existsSync(workFolder), readdirSync(workFolder)], [true, []]);
});
