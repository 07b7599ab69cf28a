/** An invoice as text, and what is true of it. */
export type Invoice = Readonly<{ text: string; truth: Readonly<Record<string, string | number>> }>;

/** One in so many says its total nowhere but among other amounts, and one in so many a wrong one. */
const [UNLABELLED, MISPRINTED] = [6, 97];

/** The n-th invoice: its parts come from n alone. */
export const invoice = (n: number): Invoice => {
  const net = 10 + ((n * 7_919) % 90_000) / 100;
  const total = Math.round(net * 120) / 100;
  const number = n % 2 === 0 ? `INV-${10_000 + n}` : `INV-${1_000 + (n % 9_000)}`;
  const date = `2026-0${1 + (n % 9)}-${10 + (n % 18)}`;
  const company = `Northgate Trading ${n} Ltd.`;
  const printed = n % MISPRINTED === 0 ? total + 10 : total;
  const sums =
    n % UNLABELLED === 0
      ? [`${money(net)}`, `${money(printed - net)}`, `${money(printed)}`]
      : [`Subtotal: ${money(net)}`, `VAT 20 %: ${money(total - net)}`, `Total: ${money(printed)}`];
  const text = [company, `${1 + (n % 200)} Mill Road, Leeds`, `Invoice no.: ${number}`, `Date: ${date}`];
  return { text: [...text, ...sums].join('\n'), truth: { company, number, date, total } };
};

const money = (value: number): string => value.toFixed(2);

const field = (name: string, label: string, type: 'string' | 'number' | 'date', validation = {}) => ({
  ...{ name, label, type, validation },
  required: true,
});

/** The workflow whose submissions people approve, all of them. */
export const definition = {
  slug: 'evaluated-invoice',
  name: 'Invoice',
  upload: { minFiles: 1, maxFiles: 1, acceptedFormats: ['text/plain'], fileLabels: [], maxFileSizeMb: 1 },
  outputSchema: [
    field('company', 'Company', 'string'),
    field('number', 'Invoice no.', 'string'),
    field('date', 'Date', 'date'),
    field('total', 'Total', 'number'),
  ],
  processing: { review: 'always', reviewBelow: 0.8 },
};

/** The same without a person who looks at each. */
export const candidate = (reviewBelow: number) => ({
  ...definition,
  processing: { review: 'auto', reviewBelow },
});

/** Two faults in fields: half of the numbers do not match, and the total is looked for elsewhere. */
export const faulty = (reviewBelow: number) => ({
  ...candidate(reviewBelow),
  outputSchema: [
    field('company', 'Company', 'string'),
    field('number', 'Invoice no.', 'string', { pattern: '^INV-\\d{5}$' }),
    field('date', 'Date', 'date'),
    field('total', 'Subtotal', 'number'),
  ],
});
