import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import * as assert from 'uvu/assert';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import { startChild } from '../../processing/engine/childProcess.ts';
import { LIMITS } from '../../processing/engine/messages.ts';
import { TransientFailure } from '../../processing/errors.ts';
import { withFiles } from '../../processing/fetchFiles.ts';
import type { InputFile } from '../../processing/types.ts';
import { memoryObjects } from '../controls/objects.ts';
import { failure } from '../controls/stores.ts';
import { historyOf } from '../controls/submission.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('the files of an attempt');

const submission = historyOf.processing.reduce<Submission | null>(evolve, null) as Submission;
const [submitted] = submission.files;
if (!submitted) throw new Error('it has no file');
const large = ['fil_1', 'fil_2'].map((fileId) => ({ ...submitted, fileId, fileSize: 1_000_000 }));

/** Two large files, of which `read` gives the bytes; `left` is what lies on the disk. */
const attempt = (
  read: (key: string) => ReturnType<ReturnType<typeof memoryObjects>['objects']['read']>,
  work: (files: readonly InputFile[]) => Promise<unknown>,
) => {
  const workFolder = mkdtempSync(join(tmpdir(), 'intake-work-test-'));
  const objects = { ...memoryObjects().objects, read };
  const ports = { objects, workFolder, onFetched: () => undefined };
  const { signal } = new AbortController();
  return {
    done: withFiles(ports, { ...submission, files: large }, signal, work),
    left: () => readdirSync(workFolder, { recursive: true }).map(String),
    remove: () => rmSync(workFolder, { recursive: true }),
  };
};

test('nothing is left of files that are on their way while another is absent', async () => {
  const endless = new PassThrough();
  endless.write('private');
  const { done, left, remove } = attempt(
    async (key) => {
      if (key.includes('fil_1')) return endless;
      await eventually('the other to be written', () => left().some((name) => name.endsWith('fil_1')));
      return null;
    },
    async () => assert.unreachable(),
  );
  assert.instance(await failure(done), TransientFailure);
  assert.equal(left(), []);
  remove();
});

test('nothing is left when the process that reads the files is killed', async () => {
  const { done, left, remove } = attempt(
    async () => PassThrough.from([Buffer.alloc(1_000_000, 'x')]),
    async (files) => {
      assert.is(left().length, 3); // a folder, and both files
      const child = startChild(LIMITS);
      const { signal } = new AbortController();
      const job = child.run({ task: 'check', acceptedFormats: [], files }, signal);
      process.kill(child.pid ?? 0, 'SIGKILL');
      return job;
    },
  );
  assert.instance(await failure(done), TransientFailure);
  assert.equal(left(), []);
  remove();
});
