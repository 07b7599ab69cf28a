import * as assert from 'uvu/assert';
import { compile } from '../../schemas/ajv.ts';
import { SessionRequest } from '../../schemas/sessions.ts';
import { WorkflowDefinition } from '../../schemas/workflowDefinition.ts';
import { suite } from '../harness.ts';

const test = suite('what is said of a fault [requests-11]');

/** A schema, a value that breaks it, and what is said. */
const cases: readonly (readonly [object, unknown, string])[] = [
  [{ required: ['a'] }, {}, '/a is required'],
  [{ additionalProperties: false }, { 'a/b': 1 }, '/a~1b is not a known member'],
  [{ type: 'string' }, 1, ' must be a string'],
  [{ type: ['integer', 'null'] }, 'x', ' must be an integer or null'],
  [{ enum: ['a', 1] }, 'b', ' must be one of "a", 1'],
  [{ enum: ['a', '', null] }, 'b', ' must be one of "a"'],
  [{ pattern: '^$|^a$' }, 'b', ' must match the pattern ^a$'],
  [{ const: true }, 1, ' must be true'],
  [{ minLength: 1 }, '', ' must not be empty'],
  [{ minLength: 8 }, 'a', ' must be at least 8 characters long'],
  [{ maxLength: 1 }, 'ab', ' must be at most 1 character long'],
  [{ pattern: '^a$' }, 'b', ' must match the pattern ^a$'],
  [{ pattern: '^a$', description: 'one a' }, 'b', ' must match the pattern ^a$: one a'],
  [{ format: 'email' }, 'a', ' must be an e-mail address such as ann@example.com'],
  [{ format: 'date' }, '2026-02-30', ' must be a date such as 2026-11-21'],
  [{ format: 'date-time' }, 'a', ' must be a time with its zone such as 2026-11-21T10:46:00Z'],
  [{ format: 'ipv4' }, 'a', ' must be a valid ipv4'],
  [{ minimum: 1 }, 0, ' must be at least 1'],
  [{ maximum: 1 }, 2, ' must be at most 1'],
  [{ exclusiveMinimum: 0 }, 0, ' must be more than 0'],
  [{ minItems: 1 }, [], ' must have at least 1 item'],
  [{ maxItems: 2 }, [1, 2, 3], ' must have at most 2 items'],
  [{ uniqueItems: true }, ['a', 'b', 'a'], ' must not have equal items: those at 0 and 2 are'],
  [{ maxProperties: 0 }, { a: 1 }, ' must have at most 0 members'],
];

for (const [schema, value, said] of cases)
  test(`${JSON.stringify(schema)}: ${said.trim()}`, () => {
    assert.equal(
      compile(schema)(value).map(({ pointer, detail }) => `${pointer} ${detail}`),
      [said],
    );
  });

test('every fault of a session and of a definition is a sentence, its patterns explained', () => {
  const session = {
    ...{ webhookUrl: 'x'.repeat(2_049), clientSubmissionId: 7, metadata: [], batchRef: 'a b', version: 0 },
    files: [{ mimeType: 'JPEG', fileSize: 0, sha256: 'AB', label: [], fileName: 'x'.repeat(256) }],
    nope: 1,
  };
  const definition = {
    ...{ slug: 'A b', name: '', icon: 1, color: 'red', nope: 1 },
    upload: { minFiles: -1, maxFiles: '3', acceptedFormats: [], fileLabels: ['', ''], maxFileSizeMb: 0 },
    outputSchema: [{ name: 'a b', required: 1, type: 'text', validation: { minLength: 0.5 } }],
    processing: {
      ...{ extractor: 'ocr', review: 'never', reviewBelow: 2 },
      fraud: { checks: ['x'], businessKey: 1, policy: { duplicate_file: 'y' } },
      sync: { url: '', secretEnv: '1a' },
    },
  };
  const faults = [...compile(SessionRequest)(session), ...compile(WorkflowDefinition)(definition)];
  assert.ok(faults.length > 30, `${faults.length}`);
  for (const { pointer, detail } of faults) {
    assert.match(detail, /^(must (not )?(be|have|match)|is (required|not a known member))/, pointer);
    assert.not.match(detail, /NOT|[<>]=|pattern \S+$/, pointer);
  }
});
