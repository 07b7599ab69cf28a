import { type Lines, scanOf } from './receipts.ts';

/** The documents of one template, told apart by little; drawn as scans when they are asked for. */
type Family = Readonly<{ name: string; documents: readonly (() => Promise<Buffer>)[] }>;

const goods: Lines = [
  ['Coffee beans 1kg', '12.50'],
  ['Milk fresh 2L', '4.90'],
  ['Paper A4 500', '23.00'],
];
const usual = { number: '104218', date: '12/03/2018', time: '10:43', items: goods, paid: ['40.40'] };

const receipt = (over: Partial<typeof usual>): Lines => {
  const { number, date, time, items, paid } = { ...usual, ...over };
  const [total = '', ...others] = paid;
  return [
    ['* SUNRISE TRADING SDN BHD *'],
    ['No 12, Jalan Merdeka 5/2'],
    ['Tel: 03-5548 2210'],
    [`No ${number}`, `Date: ${date}`],
    ['Cashier: USER', `Time: ${time}`],
    ...items,
    ['TOTAL (RM)', total],
    ...others.map((amount, n) => [n === 0 ? 'CASH' : 'CHANGE', amount] as const),
    ['GOODS SOLD ARE NOT RETURNABLE'],
    ['THANK YOU, PLEASE COME AGAIN'],
  ];
};
const rent = (number: string, date: string, month: string): Lines => [
  ['NORTHWIND PROPERTY MANAGEMENT LTD'],
  ['12 Harbour Road, Bristol BS1 4RN'],
  ['INVOICE'],
  ['Invoice number', number],
  ['Invoice date', date],
  ['Office rent unit 14', month],
  ['Net', '850.00'],
  ['VAT 20 %', '170.00'],
  ['TOTAL DUE', '1,020.00'],
  ['Please pay within 14 days'],
];
const membership = (member: string): Lines => [
  ['SUNRISE FITNESS CLUB'],
  ['12 Quay Street, Bristol'],
  ['MEMBERSHIP RECEIPT'],
  ['Member:', member],
  ['Paid for', 'March 2018'],
  ['Monthly fee', '25.00'],
  ['THANK YOU, TRAIN WELL'],
];
const taxi: Lines = [
  ['CITY CAB COMPANY'],
  ['Licensed taxi, Harbour Road 12'],
  ['Phone 0117 496 0123'],
  ['Date', ''],
  ['From', ''],
  ['To', ''],
  ['Amount in pounds', ''],
  ['Prices include value added tax'],
  ['VAT No GB 112 4492 10'],
  ['Thank you for riding with us'],
];

const family = (name: string, documents: readonly Lines[], filled = 0): Family => ({
  name,
  documents: documents.map((lines, n) => () => scanOf(lines, 31 * n + name.length, filled)),
});

/** What one supplier's documents differ in where they differ in little. */
export const families: readonly Family[] = [
  family(
    'consecutive numbers of consecutive minutes',
    ['104218', '104219', '104220'].map((number, n) => receipt({ number, time: `10:4${3 + n}` })),
  ),
  family(
    'minutes alone',
    ['10:43', '10:49', '10:56'].map((time) => receipt({ number: '220517', date: '02/05/2018', time })),
  ),
  family(
    'other goods at the same price',
    ['Paper A4 500', 'Stapler small', 'Printer ink'].map((name, n) =>
      receipt({ number: `58020${n}`, date: '07/09/2018', items: [...goods.slice(0, 2), [name, '23.00']] }),
    ),
  ),
  family(
    'a digit of a sum, and what is given back',
    [
      ['40.40', '100.00', '59.60'],
      ['46.40', '100.00', '53.60'],
      ['90.40', '100.00', '9.60'],
    ].map((paid) => receipt({ number: '640031', date: '23/10/2018', paid })),
  ),
  family(
    'a digit of a sum alone',
    ['40.40', '46.40', '90.40'].map((total) =>
      receipt({ number: '317704', date: '19/06/2018', paid: [total] }),
    ),
  ),
  family('invoices of three months', [
    rent('2024-0041', '01/03/2024', 'March 2024'),
    rent('2024-0042', '01/04/2024', 'April 2024'),
    rent('2024-0043', '01/05/2024', 'May 2024'),
  ]),
  family('names', ['Alice Johnson', 'Peter Underwood', 'Mohammed Rahman'].map(membership)),
  family('forms filled in by hand', [taxi, taxi, taxi], 4),
];
