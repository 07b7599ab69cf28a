import * as assert from 'uvu/assert';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { keptWords } from '../../processing/keptWords.ts';
import { placedWords } from '../../processing/placedWords.ts';
import { evidenceOf, wordsKey } from '../../stores/objects/keys.ts';
import { sealedObjects } from '../../stores/objects/sealed.ts';
import { memoryObjects } from '../controls/objects.ts';
import { historyOf } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('processing/keptWords');
const submission = historyOf.processing.reduce<Submission | null>(evolve, null) as Submission;
const { submissionId } = submission.routing;
const word = (text: string) => ({ text, box: { left: 1, top: 2.25, right: 3, bottom: 4 } });
const words = [{ fileId: 'fil_1', pages: [[word('one'), word('two')], [], [word('three')]] }];

const staged = () => {
  const memory = memoryObjects();
  const key: { value: Uint8Array | null } = { value: Buffer.alloc(32, 7) };
  const reported: object[] = [];
  const silent = () => undefined;
  const report = { info: silent, error: silent, warn: (_: string, facts = {}) => void reported.push(facts) };
  const objects = { ...memory.objects };
  const sealed = sealedObjects({ objects, keys: { obtain: async () => key.value } });
  return { memory, objects, key, reported, kept: keptWords({ sealed, objects, report }) };
};

test('each page has its words, also one without any; one more is no page', async () => {
  const { kept } = staged();
  await kept.keep(submissionId, words);
  const found = await Promise.all([1, 2, 3, 4].map((page) => kept.on(submission, 'fil_1', page)));
  assert.equal(found, [...(words[0]?.pages ?? []), null]);
  assert.equal(await kept.on(submission, 'fil_2', 1), []);
});

test('a redaction that was requested hides them while the key is still there [words-6]', async () => {
  const { kept } = staged();
  await kept.keep(submissionId, words);
  assert.equal(await kept.on({ ...submission, redaction: 'requested' }, 'fil_1', 1), []);
});

test('without the key nothing is kept, and nothing read', async () => {
  const { kept, key, memory } = staged();
  await kept.keep(submissionId, words);
  key.value = null;
  assert.equal(await kept.on(submission, 'fil_1', 1), []);
  await memory.objects.removeAll(evidenceOf(submissionId));
  await kept.keep(submissionId, words);
  assert.is(memory.kept.size, 0);
});

test('an object that was put in place of another is not read as its words', async () => {
  const { kept, memory } = staged();
  await kept.keep(submissionId, [...words, { fileId: 'fil_2', pages: [[word('other')]] }]);
  const other = memory.kept.get(wordsKey(submissionId, 'fil_2'));
  memory.put(wordsKey(submissionId, 'fil_1'), other?.bytes ?? Buffer.of(), null);
  const error = await kept.on(submission, 'fil_1', 1).catch((thrown: unknown) => thrown);
  assert.instance(error, Error);
});

test('what can’t be kept is reported, and thrown to nobody', async () => {
  const { kept, objects, reported } = staged();
  const away = new StoreUnavailable('away');
  objects.put = () => Promise.reject(away);
  await kept.keep(submissionId, words);
  assert.equal(reported, [{ submissionId, fileId: 'fil_1', err: away }]);
});

test('a file has its pages, with what has a box on them; one without any has none', () => {
  const place = { fileId: 'fil_1', page: 1, size: null, box: null };
  const lineOf = (box: { left: number; top: number; right: number; bottom: number } | null) => ({
    ...{ text: 'a', place, block: 0 },
    words: [{ text: 'a', confidence: 1, box }],
  });
  const line = lineOf({ left: 1.23456, top: 2, right: 3.999, bottom: 4 });
  const placed = placedWords([
    { fileId: 'fil_1', number: 1, lines: [] },
    { fileId: 'fil_1', number: 2, lines: [line, lineOf(null)] },
    { fileId: 'fil_2', number: 1, lines: [lineOf(null)] },
  ]);
  const box = { left: 1.23, top: 2, right: 4, bottom: 4 };
  assert.equal(placed, [{ fileId: 'fil_1', pages: [[], [{ text: 'a', box }]] }]);
});
