import * as assert from 'uvu/assert';
import type { OutputField } from '../../domain/workflow.ts';
import { sampleExtraction } from '../../processing/sample.ts';
import type { Question } from '../../schemas/patterns.ts';
import { suite } from '../harness.ts';

const test = suite('made-up data');

const field = (name: string, validation: OutputField['validation'] = null): OutputField => ({
  ...{ name, label: null, required: false, description: null, type: 'string' },
  validation,
});

test('a text keeps its field’s validation, as far as somebody else says that its pattern matches', async () => {
  const asked: Question[] = [];
  const { extractedData, fieldConfidences } = await sampleExtraction(
    [
      field('plain'),
      field('code', { pattern: '^[A-Z]+-', maxLength: 8 }),
      field('endless', { pattern: '^(a+)+$' }),
    ],
    0.9,
    async (questions) => {
      asked.push(...questions);
      return questions.map(({ pattern, text }) =>
        pattern === '^(a+)+$' ? 'late' : text.startsWith('ABC-') ? 'matches' : 'differs',
      );
    },
  );
  assert.equal(extractedData, { plain: 'Sample plain', code: 'ABC-123', endless: null });
  assert.equal(fieldConfidences, { plain: 0.9, code: 0.9, endless: 0 });
  assert.ok(asked.every(({ pattern, text }) => pattern === '^(a+)+$' || text.length <= 8));
});
