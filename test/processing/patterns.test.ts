import * as assert from 'uvu/assert';
import { createPatterns } from '../../processing/engine/patterns.ts';
import { matching, type Question } from '../../schemas/patterns.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('processing/engine/patterns [review-6]');
const over = new AbortController();
test.after(() => over.abort());

/** On a busy machine a moment must still be long enough for an innocent text. */
const short = { quickMs: 100, budgetMs: 200 };
const fine: Question = { pattern: '^a+$', text: 'aaa' };
const other: Question = { pattern: '^b+$', text: 'aaa' };
const endless = (seed: string | number = ''): Question => ({
  pattern: '^(\\w+\\s?)*$',
  text: `${'a'.repeat(60)}${seed}!`,
});

const deep: Question = { pattern: `^(?:${'(?=(.))'.repeat(60)}.)*$`, text: 'a'.repeat(250_000) };

test('each question has its verdict: those behind a late one are not checked', async () => {
  const matchPatterns = createPatterns(over.signal, short);
  assert.equal(await matchPatterns('cmp_a', []), []);
  assert.equal(await matchPatterns('cmp_a', [fine, other]), ['matches', 'differs']);
  const verdicts = await matchPatterns('cmp_a', [other, endless(), fine]);
  assert.equal(verdicts, ['differs', 'late', 'unchecked']);
  // It is over at once: a long text has filled the stack of the engine.
  assert.equal(await matchPatterns('cmp_a', [other, deep, fine]), ['differs', 'late', 'unchecked']);
  assert.equal(matching(deep.pattern, [deep.text]), []);
});

test('a late question is remembered, and costs nothing when it is asked again', async () => {
  const matchPatterns = createPatterns(over.signal, short);
  await matchPatterns('cmp_a', [endless()]);
  // One budget is enough for all the others, however often it is asked.
  const questions = [endless(), fine, endless()];
  for (let count = 0; count < 50; count += 1)
    assert.equal(await matchPatterns('cmp_b', questions), ['late', 'matches', 'late']);
});

test('endless patterns of some companies do not delay another one', async () => {
  const matchPatterns = createPatterns(over.signal, short);
  const order: string[] = [];
  const ask = async (company: string, question: Question): Promise<void> => {
    await matchPatterns(company, [question]);
    order.push(company);
  };
  const attacks = ['cmp_a', 'cmp_a', 'cmp_b'].map((company, index) => ask(company, endless(index)));
  await ask('cmp_c', fine);
  assert.equal(order, ['cmp_c']);
  await Promise.all(attacks);
  assert.equal(order, ['cmp_c', 'cmp_a', 'cmp_b', 'cmp_a'], 'companies take turns');
});

test('too many waiting requests of a company are refused, and those of others are not [review-7]', async () => {
  const matchPatterns = createPatterns(over.signal, { ...short, maxWaiting: 1 });
  const waiting = [endless(1), endless(2)].map((question) => matchPatterns('cmp_a', [question]));
  assert.is((await failure(matchPatterns('cmp_a', [fine]))).name, 'PatternsBusy');
  assert.equal(await matchPatterns('cmp_b', [fine]), ['matches']);
  await Promise.all(waiting);
  assert.equal(await matchPatterns('cmp_a', [fine]), ['matches']);
});

test('an invalid pattern fails, and the next question is checked', async () => {
  const matchPatterns = createPatterns(over.signal, short);
  assert.match(
    String(await failure(matchPatterns('cmp_a', [{ pattern: '(', text: '' }]))),
    /regular expression/,
  );
  assert.equal(await matchPatterns('cmp_a', [fine]), ['matches']);
});
