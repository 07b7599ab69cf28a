import * as assert from 'uvu/assert';
import { type DeclaredFile, labelsOf, maxBytes, planSlots } from '../../domain/slots.ts';
import { DomainError } from '../../kernel/decider.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('slots');
const { upload } = definition;
const count = () => {
  let n = 0;
  return (): string => `fil_${++n}`;
};
const plan = (files: readonly DeclaredFile[] | null) => planSlots(upload, { files, method: null }, count());
const file = (over: Partial<DeclaredFile> = {}): DeclaredFile => ({
  mimeType: 'image/png',
  fileSize: 10,
  ...over,
});
const faults = (files: readonly DeclaredFile[]): readonly string[] => {
  try {
    plan(files);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    assert.is(error.name, 'UploadsRefused');
    return (error.facts.errors as { pointer: string }[]).map(({ pointer }) => pointer);
  }
  return [];
};

test('without declared files there are maxFiles slots, labelled or numbered [uploads-2]', () => {
  const slots = plan(null);
  const open = { mimeType: null, fileSize: null, sha256: null };
  assert.equal(slots, [
    { fileId: 'fil_1', fileIndex: 0, label: 'front', ...open },
    { fileId: 'fil_2', fileIndex: 1, label: 'back', ...open },
    { fileId: 'fil_3', fileIndex: 2, label: 'file-3', ...open },
  ]);
});

test('each declared file has a slot that keeps what was declared', () => {
  const sha256 = 'a'.repeat(64);
  assert.equal(plan([file({ sha256 }), file({ mimeType: 'application/json', fileSize: 7 })]), [
    { fileId: 'fil_1', fileIndex: 0, label: 'front', mimeType: 'image/png', fileSize: 10, sha256 },
    {
      fileId: 'fil_2',
      fileIndex: 1,
      label: 'back',
      mimeType: 'application/json',
      fileSize: 7,
      sha256: null,
    },
  ]);
});

const labelled: readonly Readonly<{ given: readonly (string | null)[]; labels: readonly string[] }>[] = [
  { given: [null, null, null], labels: ['front', 'back', 'file-3'] },
  { given: ['back', null], labels: ['back', 'front'] },
  { given: [null, 'front', null], labels: ['back', 'front', 'file-3'] },
  { given: ['file-3'], labels: ['file-3'] },
  { given: [null, null, 'front'], labels: ['back', 'file-3', 'front'] },
];
for (const { given, labels } of labelled) {
  test(`labels ${JSON.stringify(given)} give ${labels.join(', ')} [uploads-3]`, () => {
    const slots = plan(given.map((label) => file(label === null ? {} : { label })));
    assert.equal(
      slots.map(({ label }) => label),
      labels,
    );
  });
}

const most = maxBytes(upload);
const bad: readonly Readonly<{ what: string; files: readonly DeclaredFile[]; at: readonly string[] }>[] = [
  { what: 'no file', files: [], at: ['/files'] },
  { what: 'a file too many', files: [file(), file(), file(), file()], at: ['/files'] },
  { what: 'another type', files: [file({ mimeType: 'text/plain' })], at: ['/files/0/mimeType'] },
  { what: 'a type in capitals', files: [file({ mimeType: 'IMAGE/PNG' })], at: ['/files/0/mimeType'] },
  { what: 'a byte too many', files: [file({ fileSize: most + 1 })], at: ['/files/0/fileSize'] },
  { what: 'an unlisted label', files: [file(), file({ label: 'side' })], at: ['/files/1/label'] },
  { what: 'a label of a slot that is not there', files: [file({ label: 'file-4' })], at: ['/files/0/label'] },
  {
    what: 'a label used twice',
    files: [file({ label: 'back' }), file({ label: 'back' })],
    at: ['/files/1/label'],
  },
  {
    what: 'every fault at once',
    files: [file({ mimeType: 'a/b', fileSize: most + 1 }), file(), file(), file({ label: 'side' })],
    at: ['/files', '/files/0/mimeType', '/files/0/fileSize', '/files/3/label'],
  },
];
for (const { what, files, at } of bad) {
  test(`${what} is refused [uploads-3, uploads-4]`, () => assert.equal(faults(files), at));
}

test('the bounds themselves are allowed', () => {
  assert.equal(faults([file({ fileSize: most })]), []);
  assert.equal(faults([file(), file(), file()]), []);
});

test('a megabyte is 1,048,576 bytes, and half a one is half of it [formats-7]', () => {
  assert.is(maxBytes(upload), 1_048_576);
  assert.is(maxBytes({ ...upload, maxFileSizeMb: 0.5 }), 524_288);
  assert.is(labelsOf({ ...upload, maxFiles: 10 }).at(-1), 'file-10');
});
