import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { anyCharacter } from '../controls/text.ts';
import { rounds, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('JSON that comes in');
let service: TestService;
let api: Client;
test.before(async () => {
  service = await sharedService();
  api = (await service.company()).api;
});

const open = (metadata: string) =>
  api.post('/api/v1/workflows/receipt/sessions', undefined, { raw: `{"metadata":${metadata}}` });

/** A number as somebody might write it. */
const literal = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc
    .tuple(fc.maxSafeInteger(), fc.nat({ max: 99_999_999 }), fc.integer({ min: -400, max: 400 }))
    .map(([whole, part, exponent]) => `${whole}.${part}e${exponent}`),
);
/** The digits that count, and where the point is: the same for all ways of writing a number. */
const valueOf10 = (text: string): string => {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '0' : `${sign}${kept}e${Number(exponent) - part.length + digits.length - kept.length}`;
};

/**
 * The same, from the double nearest to it, in as many digits as were written, where those are more than 15.
 */
const asWritten = (literal: string): string => {
  const digits = valueOf10(literal).replace(/e.*/, '').replace('-', '').length;
  return valueOf10(digits > 15 ? Number(literal).toPrecision(Math.min(digits, 100)) : literal);
};

test(
  'a number is kept as it was written, or as the shortest way to write its double, or refused [requests-17]',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(literal, { minLength: 1, maxLength: 20 }), async (literals) => {
        for (const one of literals) assert.match(one, /^-?\d/);
        const { status, body, text } = await open(`{"n":[${literals}]}`);
        if (status === 422) return assert.match(body.errors[0].pointer, /^\/metadata\/n\/\d+$/);
        assert.is(status, 201, text);
        const kept = /"n":\[([^\]]*)\]/.exec(text)?.[1]?.split(',') ?? [];
        assert.equal(literals.map(asWritten), literals.map(valueOf10));
        assert.equal(kept.map(Number), literals.map(Number));
        for (const [index, one] of literals.entries())
          if (valueOf10(String(Number(one))) === valueOf10(one))
            assert.is(valueOf10(kept[index] ?? ''), valueOf10(one));
      }),
      // Once refused by this test: 17 digits, of which its double needs 16.
      { numRuns: rounds(20, 2_000), examples: [[['-3015264794074096.8e-148']]] },
    ),
  { timeoutMs: 120_000 },
);

test(
  'metadata comes back from every reader as they were sent, whatever is in them [sessions-7]',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter })),
        async (metadata) => {
          const sent = JSON.stringify(metadata);
          const { status, body, text } = await open(sent);
          if (status === 422) return;
          assert.is(status, 201, text);
          const expected = JSON.stringify(JSON.parse(sent));
          assert.is(JSON.stringify(body.metadata), expected);
          assert.is(JSON.stringify((await api.job(body)).body.metadata), expected);
          const detail = await api.get(`/api/v1/submissions/${body.submissionId}`);
          assert.is(JSON.stringify(detail.body.metadata), expected);
        },
      ),
      { numRuns: rounds(20, 2_000) },
    ),
  { timeoutMs: 120_000 },
);

test.long('a number of 200,000 digits holds up nobody, zeros in it neither', async () => {
  const started = performance.now();
  assert.is((await open(`{"a":1.${'0'.repeat(200_000)}1}`)).status, 422);
  assert.ok(performance.now() - started < 3_000, 'it took half a minute once');
});

test('what can’t be kept is refused, and the read models go on', async () => {
  const poison = [
    '{"a":1e999}',
    '{"a":9007199254740993}',
    '{"a\\u0000b":1}',
    '{"__proto__":{"admin":true}}',
    '{"a":1,"a":2}',
    '{"a":"\\ud800"}',
    `{"a":${'['.repeat(40)}${']'.repeat(40)}}`,
    `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ];
  for (const metadata of poison) {
    const { status, body } = await open(metadata);
    assert.equal([status, body.code], [422, 'validation-failed'], metadata.slice(0, 40));
  }
  const { body } = await open('{"after":"all"}');
  assert.equal((await api.job(body)).body.metadata, { after: 'all' });
});

test('faults below a very long name make no answer of megabytes', async () => {
  const { status, body, text } = await open(`{"${'k'.repeat(100_000)}":[${Array(60).fill('1e999')}]}`);
  assert.is(status, 422);
  assert.is(body.errors.length, 50);
  assert.match(body.errors[1].pointer, /^\/metadata\/k{100}…\/1$/);
  assert.ok(text.length < 20_000, `${text.length}`);
});
