import * as assert from 'uvu/assert';
import { amountsIn, parseAmount } from '../../../processing/fields/amounts.ts';
import { datesIn, orderOf } from '../../../processing/fields/dates.ts';
import { suite } from '../../harness.ts';

const test = suite('sums and dates');
const today = '2026-11-28';
const dayFirst = { order: 'day-first', today } as const;

const amounts: readonly (readonly [string, number | null])[] = [
  ['80.90', 80.9],
  ['80,90', 80.9],
  ['1,234.56', 1234.56],
  ['1.234,56', 1234.56],
  ["1'234.56", 1234.56],
  ['1 234,56', 1234.56],
  ['1,234,567', 1234567],
  ['1.234', 1234],
  ['1234', 1234],
  ['RM 80.90', 80.9],
  ['RM8.60', 8.6],
  ['$8.20', 8.2],
  ['US$ 8.20', 8.2],
  ['80,90 €', 80.9],
  ['80.90 EUR', 80.9],
  ['£1,000.00', 1000],
  ['-5.00', -5],
  ['5.00-', -5],
  ['(5.00)', -5],
  ['39. 80', 39.8],
  ['12.5', 12.5],
  ['0.02-', -0.02],
  ['1.2.3', null],
  ['12,34,567.8', 1234567.8],
  ['1.234.56', 1234.56],
  ['6.00%', null],
  ['', null],
  ['abc', null],
  ['12a', null],
  ['9'.repeat(13), null],
];
for (const [text, value] of amounts)
  test(`the amount in "${text}" is ${value}`, () => assert.is(parseAmount(text), value));

test('amounts are told from dates, times, percentages and numbers in words', () => {
  const values = (line: string) => amountsIn(line).map(({ value }) => value);
  assert.equal(values('GST 6% 2.25'), [2.25]);
  assert.equal(values('25/12/2018 12:30 80.90'), [80.9]);
  assert.equal(values('TOTAL : RM 39. 80'), [39.8]);
  assert.equal(values('5 27499 11.00 55.00'), [5, 27499, 11, 55]);
  assert.equal(values('ROUNDING 0.02-'), [-0.02]);
  assert.equal(values('Disc $0.20 -1.00'), [0.2, -1]);
  assert.equal(values('Total 1.234,56 EUR'), [1234.56]);
  assert.equal(values('Total 33.90: 6.00%'), [33.9]);
});

const dates: readonly (readonly [string, string | undefined])[] = [
  ['2018-03-12', '2018-03-12'],
  ['2018/3/2', '2018-03-02'],
  ['20180304', '2018-03-04'],
  ['25/12/2018', '2018-12-25'],
  ['12/25/2018', '2018-12-25'],
  ['05-03-2018 19:02:50', '2018-03-05'],
  ['02-03-18', '2018-03-02'],
  ['3.4.2019', '2019-04-03'],
  ['31.12.99', '1999-12-31'],
  ['03 / 01 / 2018', '2018-01-03'],
  ['14/MAY/2017', '2017-05-14'],
  ['14May2017 02:56', '2017-05-14'],
  ['2018年4月11日', '2018-04-11'],
  ['2018년 4월 11일', '2018-04-11'],
  ['11 APR 2018', '2018-04-11'],
  ["11 Apr '18", '2018-04-11'],
  ['1st of March, 2020', '2020-03-01'],
  ['April 11, 2018', '2018-04-11'],
  ['Dec. 3rd 2019', '2019-12-03'],
  ['12. Dezember 2019', '2019-12-12'],
  ['3 août 2021', '2021-08-03'],
  ['31/02/2018', undefined],
  ['2018-13-01', undefined],
  ['03-7347762', undefined],
  ['12:30:45', undefined],
  ['1.2.3.4', undefined],
  ['124525-H', undefined],
  ['3 pcs 20', undefined],
];
for (const [text, iso] of dates)
  test(`the date in "${text}" is ${iso}`, () => assert.is(datesIn(`x ${text} y`, dayFirst)[0]?.iso, iso));

test('an ambiguous date is read in the order asked for, and says so', () => {
  assert.is(datesIn('03/04/2018', dayFirst)[0]?.iso, '2018-04-03');
  assert.is(datesIn('03/04/2018', { order: 'month-first', today })[0]?.iso, '2018-03-04');
  assert.is(datesIn('03/04/2018', dayFirst)[0]?.ambiguous, true);
  assert.is(datesIn('13/04/2018', { order: 'month-first', today })[0]?.ambiguous, false);
  assert.is(datesIn('04/04/2018', { order: 'month-first', today })[0]?.ambiguous, false);
});

/** What looks like a date of the other order, or an address in the United States, and is none. */
const NO_ORDER = [
  ...['BILL NO 12345', 'CASHIER ID 12345', 'RM 12345', 'KL 50470', 'JB 81100', 'SS 47300 PETALING JAYA'],
  ...['Time: 10.37.00', 'Ver 1.50.20', 'TEL 07-35.12', 'Time 10.12.30', 'Tel: 07.12.34'],
];
test('a document tells the order of its dates', () => {
  assert.is(orderOf('12/25/2018 and 03/04/2018', today), 'month-first');
  assert.is(orderOf('25/12/2018 and 03/04/2018', today), 'day-first');
  assert.is(orderOf('Springfield, IL 62704\n03/04/2018', today), 'month-first');
  assert.is(orderOf('Austin TX 78701\n03/04/2018', today), 'month-first');
  for (const text of ['Date 03/04/2018', ...NO_ORDER])
    assert.is.not(orderOf(`${text}\nDate 05/01/2018`, today), 'month-first', text);
  assert.is(orderOf('Date 03/04/2018', today), 'unknown');
  assert.is(orderOf('Date 03/04/2018\nTotal £5.00', today), 'day-first');
});
