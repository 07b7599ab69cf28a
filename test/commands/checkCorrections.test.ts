import * as assert from 'uvu/assert';
import { checkCorrections } from '../../commands/checkCorrections.ts';
import type { ExtractedData } from '../../domain/submission/processingResult.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { DomainError } from '../../kernel/decider.ts';
import type { Question, Verdict } from '../../schemas/patterns.ts';
import { failure } from '../controls/stores.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('checkCorrections');

/** The faults of corrections as texts, where patterns are answered so; and what was asked of patterns. */
const check = async (
  corrections: ExtractedData,
  fields: readonly OutputField[] = definition.outputSchema,
  verdicts: readonly Verdict[] = [],
) => {
  const asked: Question[] = [];
  const checking = checkCorrections(async (_companyId, questions) => {
    asked.push(...questions);
    return verdicts;
  })('cmp_a', corrections, fields);
  const error = await checking.then(
    () => null,
    (error: unknown) => error,
  );
  if (error === null) return { asked, faults: [] };
  if (!(error instanceof DomainError)) throw error;
  assert.is(error.name, 'CorrectionsRefused');
  const errors = error.facts.errors as { pointer: string; detail: string }[];
  return { asked, faults: errors.map(({ pointer, detail }) => `${pointer} ${detail}`) };
};

const table: readonly Readonly<{ corrections: ExtractedData; at: readonly string[] }>[] = [
  { corrections: {}, at: [] },
  { corrections: { total: 3.5 }, at: [] },
  { corrections: { company: 'ACME' }, at: [] },
  { corrections: { company: '\u{1f600}'.repeat(20) }, at: [] },
  { corrections: { total: null, company: null }, at: [] },
  { corrections: { total: '3.5' }, at: ['/corrections/total'] },
  { corrections: { company: 'x'.repeat(21) }, at: ['/corrections/company'] },
  { corrections: { colour: 'blue' }, at: ['/corrections/colour'] },
  { corrections: { colour: null }, at: ['/corrections/colour'] },
  { corrections: { 'a/b~c': 1 }, at: ['/corrections/a~1b~0c'] },
  { corrections: { constructor: 1 }, at: ['/corrections/constructor'] },
  { corrections: { total: true, company: 5 }, at: ['/corrections/total', '/corrections/company'] },
];
for (const { corrections, at } of table)
  test(`corrections ${JSON.stringify(corrections).slice(0, 60)}: ${at.join(' ') || 'fine'} [review-5]`, async () => {
    const { faults } = await check(corrections);
    assert.equal(
      faults.map((fault) => fault.split(' ', 1)[0]),
      at,
    );
  });

const patterned = (name: string, type: OutputField['type'] = 'string'): OutputField => ({
  ...{ name, label: null, required: false, description: null, type },
  validation: { pattern: `^${name}+$`, minLength: 2, maxLength: 20 },
});

test('texts and dates without other faults are matched with their patterns, and each verdict names its field [review-6]', async () => {
  const fields = [...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => patterned(name)), patterned('g', 'date')];
  const corrections = { a: 'aa', b: 'xx', c: 'cc', d: 'dd', e: 'e', f: null, g: '2026-01-31' };
  const { asked, faults } = await check(corrections, fields, [
    'matches',
    'differs',
    'late',
    'unchecked',
    'matches',
  ]);
  assert.equal(
    asked.map(({ pattern, text }) => `${pattern} ${text}`),
    ['^a+$ aa', '^b+$ xx', '^c+$ cc', '^d+$ dd', '^g+$ 2026-01-31'],
  );
  assert.equal(faults, [
    '/corrections/e must be at least 2 characters long',
    '/corrections/b must match the pattern ^b+$',
    '/corrections/c took too long to check against its pattern ^c+$',
    '/corrections/d was not checked against its pattern: those of other fields took too long',
  ]);
});

test('each cell of a table is checked against its column [tables-4]', async () => {
  const table: OutputField = {
    ...patterned('t', 'table'),
    validation: null,
    columns: [column('a'), column('b')],
  };
  const corrections = { t: [{ a: 'aa', b: 'x' }, { a: 'xx' }, { b: 'bb' }] };
  const { faults } = await check(corrections, [table], ['matches', 'matches', 'matches', 'matches']);
  assert.equal(faults, ['/corrections/t/2/a is required, and has no value']);
  const { faults: others } = await check({ t: corrections.t.slice(0, 2) }, [table], ['matches', 'differs']);
  assert.equal(others, [
    '/corrections/t/0/b must be at least 2 characters long',
    '/corrections/t/1/a must match the pattern ^a+$',
  ]);
});

const column = (name: string) => ({
  ...{ name, label: null, required: name === 'a', description: null, type: 'string' as const },
  validation: { pattern: `^${name}+$`, minLength: 2 },
});

test('what keeps patterns from being checked is passed on [review-7]', async () => {
  const busy = checkCorrections(() => Promise.reject(new DomainError('PatternsBusy', 'busy')));
  const error = await failure(busy('cmp_a', { a: 'aa' }, [patterned('a')]));
  assert.is(error.name, 'PatternsBusy');
});
