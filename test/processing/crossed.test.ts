import * as assert from 'uvu/assert';
import { attempt } from '../../processing/attempt.ts';
import { outputField } from '../controls/workflow.ts';
import { drawSeed, rounds, suite } from '../harness.ts';
import { type Random, seeded } from '../nodes/random.ts';
import { noRecogniser, versionOf } from './files.ts';
import { pdfOf } from './labelled/render.ts';

const test = suite('values of crossed documents [extractors-1]');

const SURE = 0.8;
const LEAST_RIGHT = 0.85;

type Crossed = Readonly<{ content: Buffer; mimeType: string; truth: Readonly<Record<string, unknown>> }>;
type Choose = Random['pick'];

const FIELDS = [
  outputField('company', { label: 'Company' }),
  outputField('date', { label: 'Date', type: 'date' }),
  outputField('total', { label: 'Total', type: 'number' }),
];

const COMPANIES = ['Nordlicht GmbH', 'Müller & Söhne AG', 'Café Crème SARL', 'Acme Ltd', 'Señor Muñoz S.L.'];

/** The same text in other characters: composed or not, with what shows nothing. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.normalize('NFD'),
  (text) => `${text.slice(0, 4)}\u00ad${text.slice(4)}`,
  (text) => `${text.slice(0, 3)}\u200b${text.slice(3)}`,
  (text) => `\u200e${text}`,
];

const grouped = (whole: number, mark: string): string => String(whole).replace(/\B(?=(?:\d{3})+$)/g, mark);

/** How a sum is written; the number of decimals that its currency has. */
const NOTATIONS: readonly Readonly<{ decimals: number; write(whole: number, cents: string): string }>[] = [
  { decimals: 2, write: (whole, cents) => `${grouped(whole, ',')}.${cents}` },
  { decimals: 2, write: (whole, cents) => `${grouped(whole, '.')},${cents} €` },
  { decimals: 2, write: (whole, cents) => `EUR ${grouped(whole, '.')},${cents}` },
  { decimals: 2, write: (whole, cents) => `$${grouped(whole, ',')}.${cents}` },
  { decimals: 2, write: (whole, cents) => `${grouped(whole, '\u202f')},${cents} €` },
  { decimals: 2, write: (whole, cents) => `CHF ${grouped(whole, "'")}.${cents}` },
  { decimals: 3, write: (whole, cents) => `KWD ${whole % 1_000},${cents}` },
  { decimals: 3, write: (whole, cents) => `${whole % 1_000}.${cents} TND` },
  { decimals: 0, write: (whole) => `${grouped(whole, ' ')} Ft` },
  { decimals: 0, write: (whole) => `${grouped(whole, ' ')},- Kč` },
];

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const MONTHS_ES =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');
const two = (value: number): string => String(value).padStart(2, '0');

const DATES: readonly ((year: number, month: number, day: number) => string)[] = [
  (year, month, day) => `${year}-${two(month)}-${two(day)}`,
  (year, month, day) => `${two(day)}.${two(month)}.${year}`,
  (year, month, day) => `${day} ${MONTHS[month - 1]} ${year}`,
  (year, month, day) => `${MONTHS[month - 1]} ${day}, ${year}`,
  (year, month, day) => `${day} de ${MONTHS_ES[month - 1]} de ${year}`,
  (year, month, day) => `${two(year % 100)}-${two(month)}-${two(day)}`,
  (year, month, day) => `${two(day)}/${two(month)}/${year}`,
];

/** Where values are beside their labels. */
const PLACES: readonly ((label: string, value: string) => string)[] = [
  (label, value) => `${label}: ${value}`,
  (label, value) => `${label}\t${value}`,
  (label, value) => `${label} ........ ${value}`,
];

const crossed = (choose: Choose): Crossed => {
  const [whole, year, month, day] = [
    choose([7, 12, 48, 125, 412, 999, 1_234, 12_500, 104_250]),
    choose([2024, 2025, 2026]),
    choose([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    choose([1, 5, 9, 12, 13, 17, 25, 28]),
  ];
  const notation = choose(NOTATIONS);
  const cents = choose(['00', '05', '50', '75', '99'])
    .padEnd(notation.decimals, '5')
    .slice(0, notation.decimals);
  const isThree = notation.decimals === 3;
  const total = Number(`${isThree ? whole % 1_000 : whole}.${cents || '0'}`);
  const truth = { company: choose(COMPANIES), date: `${year}-${two(month)}-${two(day)}`, total };
  const [date, sum] = [choose(DATES)(year, month, day), notation.write(whole, cents)];
  const kind = choose(['text', 'text', 'pdf', 'json'] as const);
  if (kind === 'json') {
    const text = choose([sum, String(total), `${total}e0`]);
    const members = { company: choose(SPELLINGS)(truth.company), date, total: text };
    return { content: Buffer.from(JSON.stringify(members)), mimeType: 'application/json', truth };
  }
  const place = choose(PLACES);
  const rows = [
    truth.company,
    '5 High Street',
    '20457 Hamburg',
    '',
    'Invoice',
    place('Date', date),
    '',
    'Services as agreed',
    place('Total', sum),
    'Thank you',
  ];
  if (kind === 'pdf' && !/[^\x20-\xff€\t]/.test(rows.join('')))
    return { content: pdfOf(rows, 'Helvetica'), mimeType: 'application/pdf', truth };
  const spell = choose(SPELLINGS);
  return {
    content: Buffer.from(rows.map((row, at) => (at === 0 ? spell(row) : row)).join('\n')),
    mimeType: 'text/plain',
    truth,
  };
};

const DOCUMENTS = rounds(150, 2_000);
test('of crossed characters, sums, dates, places and formats none is wrong and sure', async () => {
  const seed = drawSeed(`${DOCUMENTS} crossed documents`);
  const { pick } = seeded(seed);
  const wrong: string[] = [];
  let [right, count] = [0, 0];
  for (let made = 0; made < DOCUMENTS; made += 1) {
    const { content, mimeType, truth } = crossed(pick);
    const file = { fileId: 'f', label: 'document', mimeType, content };
    const outcome = await attempt(versionOf(FIELDS), [file], noRecogniser, () => undefined);
    if (outcome.kind !== 'extracted') throw new Error(outcome.reason);
    for (const [name, value] of Object.entries(truth)) {
      count += 1;
      const [found, confidence] = [outcome.extractedData[name], outcome.fieldConfidences[name] ?? 0];
      if (confidence < SURE) continue;
      if (found === value) right += 1;
      else
        wrong.push(
          `${name} ${JSON.stringify(found)}, not ${JSON.stringify(value)}: ${mimeType === 'application/pdf' ? mimeType : content}`,
        );
    }
  }
  assert.equal(wrong, []);
  assert.ok(right >= LEAST_RIGHT * count, `${right} of ${count} are right and sure`);
});
