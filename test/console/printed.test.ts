import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

const test = suite('console: numbers and dates as they are printed');

type Printed = Readonly<{ value?: unknown; readings?: readonly string[] }> | null;
// What browsers load is compiled by itself.
const COMPILED = new URL('../../browser/console/screens/submission/printed.js', import.meta.url).href;
const { numberOf, dateOf } = (await import(COMPILED)) as Readonly<{
  numberOf(text: string, type: 'number' | 'integer'): Printed;
  dateOf(text: string, months: readonly string[]): Printed;
}>;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

const said = (printed: Printed): unknown => printed && (printed.readings ?? printed.value);
const reads = (cases: Readonly<Record<string, unknown>>, read: (text: string) => Printed): void => {
  for (const [text, expected] of Object.entries(cases)) assert.equal(said(read(text)), expected, text);
};

test('a number is taken as it is printed, where it has one reading', () =>
  reads(
    {
      ...{ '1234.5': 1234.5, '1234,50': 1234.5, '0': 0, '007': 7, '-3,5': -3.5, '−3.5': -3.5 },
      ...{ '1.234,50': 1234.5, '1,234.50': 1234.5, '1 234,50': 1234.5, '1 234.5': 1234.5 },
      ...{ '1\u00a0234,50': 1234.5, '1\u202f234,50': 1234.5, "1'234.50": 1234.5, '1’234.50': 1234.5 },
      ...{ '1.234.567': 1_234_567, '1,234,567.8': 1_234_567.8, '1 234': 1234, '-1.234,5': -1234.5 },
      // Nothing begins with a zero but what is below one, and groups have three digits.
      ...{
        '0.125': 0.125,
        '0,125': 0.125,
        '1234.567': 1234.567,
        '1.2340': 1.234,
        '1.23': 1.23,
        '12,3456': 12.3456,
      },
      '1.234,567': 1234.567,
    },
    (text) => numberOf(text, 'number'),
  ));

test('a number that may be grouped or have decimals has two readings, and each can be typed', () => {
  reads(
    { '1.234': ['1.234', '1234'], '12,345': ['12.345', '12345'], '-1,230': ['-1.230', '-1230'] },
    (text) => numberOf(text, 'number'),
  );
  reads({ '1.2340': 1.234, '-1.2300': -1.23, '12345': 12_345 }, (text) => numberOf(text, 'number'));
  assert.equal(said(numberOf('1.000', 'integer')), ['1.000', '1000']);
});

test('a whole number takes the only reading that is whole', () =>
  reads({ '1.234': 1234, '1,234,567': 1_234_567, '2.0': 2, '2.5': null, '1.234,5': null, '17': 17 }, (text) =>
    numberOf(text, 'integer'),
  ));

test('what is no number, or more than a number keeps, has no reading', () => {
  const no = [
    '',
    'x',
    '1,2,3',
    '1.234.56',
    '12.34.567',
    '1,234.567,8',
    '1.234.5',
    '.5',
    '5.',
    '1e5',
    '--1',
    '1-',
  ];
  for (const text of [
    ...no,
    '1 23',
    '1.234 567',
    '12345678901234567',
    '1.234.567.890.123.456',
    '€ 5',
    '01.234.567',
  ])
    assert.is(numberOf(text, 'number'), null, text);
});

test('a date is taken as it is printed, where it has one reading', () =>
  reads(
    {
      ...{ '2026-12-31': '2026-12-31', '2026/12/31': '2026-12-31', '2026.1.5': '2026-01-05' },
      ...{ '31.12.2026': '2026-12-31', '12/31/2026': '2026-12-31', '31/12/2026': '2026-12-31' },
      ...{ '31-12-2026': '2026-12-31', '31. 12. 2026': '2026-12-31', '4/4/2026': '2026-04-04' },
      ...{ '29.2.2028': '2028-02-29', '12 May 2026': '2026-05-12', 'May 12, 2026': '2026-05-12' },
    },
    (text) => dateOf(text, MONTHS),
  ));

test('a date whose day and month could be each other has two readings', () =>
  reads(
    {
      '03/04/2026': ['2026-04-03', '2026-03-04'],
      '12.3.2018': ['2018-03-12', '2018-12-03'],
      '1-2-2026': ['2026-02-01', '2026-01-02'],
    },
    (text) => dateOf(text, MONTHS),
  ));

test('what is no day of a calendar, or has no year of four digits, has no reading', () => {
  const no = [
    '31.6.2026',
    '2026-13-01',
    '29.2.2026',
    '31.12.26',
    '26-12-31',
    '13/13/2026',
    '12 Ma 2026',
    '12 May 26',
  ];
  for (const text of [...no, '2026', '2026-12', '2026-12-31 x', '0/1/2026', '1.1.2026.5', 'x'])
    assert.is(dateOf(text, MONTHS), null, text);
});
