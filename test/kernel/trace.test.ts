import * as assert from 'uvu/assert';
import { traceOf } from '../../kernel/trace.ts';
import { suite } from '../harness.ts';

const test = suite('trace of a request');
const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const traceparent = `00-${trace}-${span}-01`;

const parents: readonly (readonly [string, string | undefined])[] = [
  [traceparent, traceparent],
  [`00-${trace}-${span}-00`, `00-${trace}-${span}-00`],
  // A later version may have more; what is sent on is ours.
  [`cc-${trace}-${span}-01-more`, traceparent],
  [`00-${trace}-${span}-ff`, `00-${trace}-${span}-03`],
  [`00-${trace}-${span}-01-more`, undefined],
  [`ff-${trace}-${span}-01`, undefined],
  [`00-${'0'.repeat(32)}-${span}-01`, undefined],
  [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
  [`00-${trace.toUpperCase()}-${span}-01`, undefined],
  [`00-${trace}-${span}`, undefined],
  [`${traceparent},${traceparent}`, undefined],
  ['', undefined],
];
for (const [sent, read] of parents)
  test(`traceparent ${JSON.stringify(sent)} is ${read ?? 'ignored'} [traces-3]`, () =>
    assert.equal(traceOf({ traceparent: sent, tracestate: 'a=1' }).traceparent, read));

const states: readonly (readonly [string | string[], string | undefined])[] = [
  ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
  [' a=1 ,, b=2\t', 'a=1,b=2'],
  [['a=1', 'b=2'], 'a=1,b=2'],
  ['fw529a3039@dt=FfAz', 'fw529a3039@dt=FfAz'],
  ['', undefined],
  ['A=1', undefined],
  ['a', undefined],
  ['a=é', undefined],
  [`a=${'x'.repeat(256)}`, `a=${'x'.repeat(256)}`],
  [`a=${'x'.repeat(257)}`, undefined],
  [`a=${'x'.repeat(256)},b=${'x'.repeat(256)}`, undefined],
  [Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(), undefined],
  [`a=aok_${'a1'.repeat(32)}`, undefined],
];
for (const [sent, read] of states)
  test(`tracestate ${JSON.stringify(sent).slice(0, 60)} is ${read?.slice(0, 40) ?? 'ignored'} [traces-3]`, () =>
    assert.equal(traceOf({ traceparent, tracestate: sent }), {
      traceparent,
      ...(read === undefined ? {} : { tracestate: read }),
    }));

test('without a place in a trace its state means nothing [traces-3]', () =>
  assert.equal(traceOf({ tracestate: 'a=1' }), {}));
