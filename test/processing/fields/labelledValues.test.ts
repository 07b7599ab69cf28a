import * as assert from 'uvu/assert';
import type { OutputField } from '../../../domain/workflow.ts';
import { textPage } from '../../../processing/read/text.ts';
import type { Extracted } from '../../../processing/types.ts';
import { understand } from '../../../processing/understand.ts';
import { outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { versionOf } from '../files.ts';
import { drawn } from './layouts.ts';

const test = suite('labelled values [extractors-1]');

/** A confidence below this sends what was found to a person. */
const SURE = 0.8;

const read = (text: string, fields?: readonly OutputField[]): Extracted =>
  understand(versionOf(fields), { pages: [textPage('f', text)], entries: [] });

const text = (name: string, label: string) => outputField(name, { label });
const sum = (name: string, label: string) => outputField(name, { label, type: 'number' });
const day = (name: string, label: string) => outputField(name, { label, type: 'date' });

const names =
  "Amazon|Invoice Ninja|Tel Aviv Foods|Fax Express|Level 5 Studio|Block 16 Coffee|Acme ea44ae|Acme 12345|Total Tools|Date Palm|7-Eleven 2041|L'Oréal|3M|12 March Trading|Page One|No. 1 Fried Chicken|Order of St John|Northgate Bank plc|B&Q";
for (const name of names.split('|'))
  for (const [how, line] of [
    ['a colon', `Company: ${name}`],
    ['a tab', `Company\t${name}`],
    ['dots', `Company ........ ${name}`],
    ['a usual caption', `Store: ${name}`],
    ['no blank', `COMPANY:${name}`],
  ] as const)
    test(`the company "${name}" behind ${how}`, () => {
      const { extractedData, fieldConfidences } = read(`${line}\nDate: 2026-10-05\nTotal: 412.50`);
      assert.equal([extractedData.company, extractedData.total], [name, 412.5]);
      assert.ok((fieldConfidences.company ?? 0) >= SURE, `${fieldConfidences.company}`);
    });

const totals: readonly (readonly [text: string, value: number])[] = [
  ['Total -£144.00', -144],
  ['Total £-144.00', -144],
  ['Total £144.00-', -144],
  ['Total (£144.00)', -144],
  ['Total £(144.00)', -144],
  ['Total −£144.00', -144],
  ['Total: 144.00 CR', -144],
  ['Total: 144,00 €-', -144],
  ['Total: -144,00 €', -144],
  ['Total: - 144.00', -144],
  ['Total: –144.00', -144],
  ['Total: 144€50', 144.5],
  ['Total: 144.00 DR', 144],
  ['Total (EUR): 144.00', 144],
  ['Total Payable: -1.73', -1.73],
  ['Total: 0.00\nTotal excl. VAT 9.36', 0],
  ['TOTAL 35.00\nTotal Sales Amount 33.00', 35],
  ['Total Payable: 7.97\nTotal 0% supplies: 9.36\nTotal 0% supplies: 9.36', 7.97],
  ['Total 1,300.95\nPaid 300.00\nAmount due 1,000.95', 1300.95],
  ['Amount paid 20.00\nTotal 35.00', 35],
];
for (const [given, value] of totals)
  test(`the total of "${given.replaceAll('\n', ', ')}" is ${value}`, () => {
    const { extractedData, fieldConfidences } = read(given, [sum('total', 'Total')]);
    assert.is(extractedData.total, value);
    assert.ok((fieldConfidences.total ?? 0) >= SURE, `${fieldConfidences.total}`);
  });

const labels: readonly (readonly [title: string, field: OutputField, text: string, value: unknown])[] = [
  [
    'what is due',
    sum('amountDue', 'Amount due'),
    'Total 1,300.95\nPaid 300.00\nAmount due 1,000.95',
    1000.95,
  ],
  ['what is payable', sum('total', 'Amount payable'), 'Total 50.00\nAmount payable 40.00', 40],
  [
    'an employee below a caption',
    text('name', 'Name'),
    'Name        Purpose of travel\nKim Miller  Conference',
    'Kim Miller',
  ],
  ['a due date', day('dueDate', 'Due date'), 'Invoice date: 1 May 2026\nDue date: 31 May 2026', '2026-05-31'],
  [
    'a date beside another',
    day('date', 'Date'),
    'Print date: 2026-01-02 10:00\nDate: 2026-01-01',
    '2026-01-01',
  ],
  [
    'a number with letters',
    text('iban', 'IBAN'),
    'IBAN: GB82 WEST 1234 5698 7654 32',
    'GB82 WEST 1234 5698 7654 32',
  ],
  [
    'a German number',
    text('invoiceNumber', 'Invoice number'),
    'Rechnungs-Nr.: 2026/17\nDatum: 01.02.2026',
    '2026/17',
  ],
  ['a French number', text('invoiceNumber', 'Invoice number'), 'Facture n° 2026-17', '2026-17'],
  [
    'a caption in two languages',
    text('invoiceNumber', 'Invoice number'),
    'Invoice No / Rechnungsnummer: 17',
    '17',
  ],
  ['a value up to the next caption', text('cashier', 'Cashier'), 'Cashier: Kim, Till: 4', 'Kim'],
  [
    'a row of a table with bars',
    text('project', 'Project'),
    '| Project | Harbour works |\n| Hours | 4 |',
    'Harbour works',
  ],
  ['a rate before a tax', sum('vat', 'VAT'), 'VAT (20%): 5.00', 5],
  ['another field named like it', sum('hours', 'Hours'), 'Hours worked: 7.5', 7.5],
];
for (const [title, field, given, value] of labels)
  test(`a label: ${title}`, () => {
    const { extractedData, fieldConfidences } = read(given, [field]);
    assert.is(extractedData[field.name], value);
    assert.ok((fieldConfidences[field.name] ?? 0) >= SURE, `${fieldConfidences[field.name]}`);
  });

const invoiceNumber = text('invoiceNumber', 'Invoice number');
/** What is no value, and what may be another one: nothing is found, or it is for a person to look at. */
const unsure: readonly (readonly [title: string, field: OutputField, text: string])[] = [
  ['a sentence', invoiceNumber, 'Please quote your invoice number when paying.'],
  [
    'a sentence that begins with the label',
    invoiceNumber,
    'Invoice number 12 or 13 is to be quoted when paying.',
  ],
  ['a sentence of a company', text('company', 'Company'), 'Company cheques are not accepted.'],
  ['a part of a name', text('bank', 'Bank'), 'Northgate Bank plc'],
  ['the rest of a name', text('bank', 'Bank'), 'Bank of Scotland'],
  ['a caption below', text('employee', 'Employee'), 'Employee:\nPurpose of travel:\nConference'],
  ['a caption right of it', text('employee', 'Employee'), 'Employee      Purpose of travel'],
  ['a longer caption', text('customer', 'Customer'), 'Customer since: 2019'],
  ['a caption of a number', text('company', 'Company'), 'Company No: 12345678'],
  ['an amount for a number', text('vatNumber', 'VAT number'), 'VAT 20%: 5.00'],
  ['two values', text('reference', 'Reference'), 'Reference: A17\nReference: B18'],
  ['two dates', day('period', 'Period'), 'Period: 2026-01-01 - 2026-01-31'],
  ['a dash that may be a minus', sum('premium', 'Premium'), 'Premium - 5.00'],
  ['day and month that may be exchanged', day('date', 'Date'), 'Date: 03/04/2026'],
  ['no mark before a name', text('project', 'Project'), 'Project Harbour works'],
  [
    'a customer’s company',
    text('company', 'Company'),
    'Northgate Ltd\n1 High Street\nBill to:\nCompany: Acme',
  ],
  ['a customer’s name in the head', text('company', 'Company'), 'Client Harbour Cafe Ltd\nTotal 5.00'],
  ['an empty label before another', sum('subtotal', 'Subtotal'), 'Subtotal:\nTotal excl. VAT: 5.00'],
  ['the foot of a table', sum('tax', 'Tax'), 'Tax   89.50   5.37'],
  ['a sum that words make negative', sum('balance', 'Balance'), 'Balance 45.00 overdrawn'],
  ['a balance in debit', sum('balance', 'Balance'), 'Balance: 45.00 DR'],
  ['a balance in credit', sum('balance', 'Balance'), 'Balance: 45.00 CR'],
  ['a minus in a word', sum('total', 'Total'), 'Total: minus 45.10'],
  ['brackets of accountants', sum('total', 'Total'), 'Total <45.10>'],
  ['a number of thousands', sum('total', 'Total'), 'Total: £1.2k'],
  ['a number of millions', sum('total', 'Total'), 'Total: 1.5 million EUR'],
  ['about so much', sum('total', 'Total'), 'Total: ca. 100 EUR'],
  ['a deduction', sum('total', 'Total'), 'Total: ./. 119,00 EUR'],
  ['a number and a half', sum('hours', 'Hours'), 'Hours: 37 1/2'],
  ['several days', day('date', 'Date'), 'Date: 1, 2 and 3 May 2026'],
  ['a count for a sum', sum('total', 'Total'), 'Total: 3 items'],
  ['a weight for a sum', sum('total', 'Total'), 'Total: 9.00 kg'],
  ['a rate for a sum', sum('tax', 'VAT'), 'VAT: 20%'],
  ['a sum of the time before', sum('total', 'Total'), 'Total last year: 99.00'],
  ['nothing to say', text('company', 'Company'), 'Company: N/A'],
  ['a text that the next line goes on with', text('company', 'Company'), 'Company: Long Name Of\n  A House'],
  [
    'a cell that the next line goes on with',
    text('customer', 'Customer'),
    'Customer:   Harbour\n            Works',
  ],
  ['a date from which days are counted', day('due', 'Due date'), 'Due date: 14 days from 1 May 2026'],
  ['a date with a name of its own', day('date', 'Date'), 'Renewal date: 2027-01-31'],
  ['a date of something else', day('date', 'Date'), 'Date of travel: 2027-01-31'],
  ['the end of a masked number', text('account', 'Account number'), 'Account number: ****1234'],
  [
    'the end of a masked number in groups',
    text('account', 'Account number'),
    'Account number: **** **** 1234',
  ],
  ['two captions with two values', text('seller', 'Seller'), 'Seller / Buyer: Blue Fin / Red Hen'],
  ['a number that may be of the caption below', sum('due', 'Amount due'), '24.00\nAmount due\n4.00\nVAT'],
];
for (const [title, field, given] of unsure)
  test(`no sure value: ${title}`, () => {
    const { fieldConfidences } = read(given, [field]);
    assert.ok((fieldConfidences[field.name] ?? 0) < SURE, `${fieldConfidences[field.name]}`);
  });

test('the captions of a form on a page are nobody’s values', () => {
  const fields = [text('employee', 'Employee'), text('destination', 'Destination'), day('date', 'Date')];
  const page = drawn([
    'Employee            Purpose of travel',
    'Kim Miller          Conference',
    '',
    'Destination         Date',
    '                    2026-10-05',
  ]);
  const { extractedData, fieldConfidences } = understand(versionOf(fields), { pages: [page], entries: [] });
  assert.equal([extractedData.employee, extractedData.date], ['Kim Miller', '2026-10-05']);
  assert.ok((fieldConfidences.destination ?? 0) < SURE, `${fieldConfidences.destination}`);
});
