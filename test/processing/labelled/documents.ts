import type { OutputField } from '../../../domain/workflow.ts';
import { outputField } from '../../controls/workflow.ts';
import { type Random, seeded } from '../../nodes/random.ts';
import { type Concept, TEMPLATES } from './concepts.ts';
import { addressLines, itemRows, otherSums, proseLines, recipient, strangers, titleOf } from './decoys.ts';
import { pdfOf } from './render.ts';
import { type Pair, STYLES } from './styles.ts';
import {
  between,
  chance,
  companyName,
  type Language,
  moneyOf,
  type Notation,
  notationFor,
  shuffled,
} from './values.ts';

/** A document as a file, what is asked of it, and what is right; null where it does not say. */
export type Labelled = Readonly<{
  title: string;
  fields: readonly OutputField[];
  rows: readonly string[];
  bytes: Buffer;
  mimeType: 'text/plain' | 'application/pdf';
  truth: Readonly<Record<string, string | number | null>>;
}>;

type Stated = Readonly<{ field: OutputField; concept: Concept; pair: Pair; value: string | number | null }>;

/** So many documents, every other one a PDF; the same ones for the same seed. */
export const labelledDocuments = (seed: number, count: number): readonly Labelled[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => documentOf(random, index % 2 === 0));
};

const documentOf = (random: Random, isText: boolean): Labelled => {
  const { title, concepts } = random.pick(TEMPLATES);
  const notation = notationFor(random, random.pick(['en', 'en', 'en', 'de', 'fr']));
  const isCredit = title === 'Credit note';
  const stated = concepts.map((concept) => statedIn(random, notation, concept, isCredit));
  const style = random.pick(Object.keys(STYLES));
  const rows = rowsOf(random, notation, title, stated, style);
  const font = random.pick(['Courier', 'Helvetica']);
  return {
    title: `${title}, ${notation.language}, ${style}${isText ? '' : `, PDF in ${font}`}`,
    fields: shuffled(
      random,
      stated.map(({ field }) => field),
    ),
    rows,
    bytes: isText ? Buffer.from(rows.join('\n')) : pdfOf(rows, font),
    mimeType: isText ? 'text/plain' : 'application/pdf',
    truth: Object.fromEntries(stated.map(({ field, value }) => [field.name, value])),
  };
};

const statedIn = (random: Random, notation: Notation, concept: Concept, isCredit: boolean): Stated => {
  const { language } = notation;
  const labelled: Language = chance(random, 0.7) ? 'en' : language;
  const usual = concept.wordings[labelled][0] ?? concept.name;
  const label = chance(random, 0.8) ? usual : random.pick(concept.wordings[labelled]);
  const isSame = labelled === language && chance(random, 0.6);
  const caption = isSame ? label : random.pick(concept.wordings[language]);
  const made = concept.make(random, notation);
  const printed = isCredit && concept.name === 'total' ? moneyOf(notation, -Number(made.value)) : made;
  const isEmpty = chance(random, 0.06);
  return {
    concept,
    field: outputField(concept.name, {
      label: chance(random, 0.15) && !concept.name.includes('Number') ? null : label,
      type: concept.type,
    }),
    pair: { caption, value: isEmpty ? '' : printed.text },
    value: isEmpty ? null : printed.value,
  };
};

const isSum = ({ concept: { type, name } }: Stated): boolean => type === 'number' && name !== 'hours';

const rowsOf = (
  random: Random,
  notation: Notation,
  title: string,
  stated: readonly Stated[],
  style: string,
): readonly string[] => {
  const write = STYLES[style] ?? (() => []);
  const taken = new Set(
    stated.flatMap(({ concept }) => Object.values(concept.wordings).flat()).map((one) => one.toLowerCase()),
  );
  const isFree = ({ caption }: Pair): boolean => !taken.has(caption.toLowerCase().replace(/ \d+ ?%$/, ''));
  const others = strangers(random, notation).filter(isFree);
  const facts = shuffled(random, [...stated.filter((one) => !isSum(one)).map(({ pair }) => pair), ...others]);
  const sums = shuffled(random, [
    ...stated.filter(isSum).map(({ pair }) => pair),
    ...otherSums(random, notation).filter(isFree),
  ]);
  const names = stated.map(({ concept }) => concept.name);
  const isInvoice = names.includes('total');
  const apart = chance(random, 0.7);
  return [
    ...titleOf(random, title),
    ...letterhead(random, notation, stated),
    ...(chance(random, 0.3) && !names.includes('customer') ? recipient(random, notation) : []),
    ...write(apart ? facts : shuffled(random, [...facts, ...sums]), random),
    '',
    ...(isInvoice && chance(random, 0.4) ? itemRows(random, notation) : []),
    ...(apart && sums.length > 0 ? write(sums, random) : []),
    '',
    ...proseLines(random),
  ];
};

/** The name that stands at the top: that of the company, or of another house. */
const letterhead = (random: Random, notation: Notation, stated: readonly Stated[]): readonly string[] => {
  const own = stated.find(({ concept }) => concept.name === 'company')?.value;
  if (chance(random, 0.5)) return [];
  const name = own && chance(random, 0.7) ? String(own) : companyName(random);
  return [
    name,
    ...(chance(random, 0.6) ? addressLines(random, notation) : []),
    ...Array.from({ length: between(random, 0, 1) }, () => ''),
  ];
};
