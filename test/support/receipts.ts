import sharp from 'sharp';

const WIDTH = 640;
const GOODS = [
  'Coffee beans 1kg',
  'Milk fresh 2L',
  'Paper A4 500',
  'Stapler no.10',
  'Printer ink BK',
  'Tea bags 100',
];

/**
 * A made-up receipt of one supplier's template as a scan: its number, date, time and total are its own; of
 * the `same` goods at the same prices, or of other ones. Noise and a slight turn are its own too.
 */
export const madeUpReceipt = async (number: number, goods: 'same' | 'other'): Promise<Buffer> => {
  const random = randomFrom(number * 7_919 + 17);
  const items =
    goods === 'same' ? SAME : Array.from({ length: 3 + Math.floor(random() * 4) }, () => itemFrom(random));
  const total = goods === 'same' ? 10 + random() * 180 : items.reduce((sum, { price }) => sum + price, 0);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const lines: Lines = [
    ['* SUNRISE TRADING SDN BHD *'],
    ['(Co. Reg. 481923-K)'],
    ['No 12, Jalan Merdeka 5/2'],
    ['40150 Shah Alam, Selangor'],
    ['Tel: 03-5548 2210'],
    ['TAX INVOICE'],
    [
      `No ${100_000 + Math.floor(random() * 900_000)}`,
      `Date: ${two(1 + random() * 28)}/${two(1 + random() * 12)}/2018`,
    ],
    ['Cashier: USER', `Time: ${two(8 + random() * 12)}:${two(random() * 60)}`],
    ...items.map(({ name, price }) => [name, price.toFixed(2)] as const),
    ['TOTAL (RM)', total.toFixed(2)],
    ['GOODS SOLD ARE NOT RETURNABLE'],
    ['THANK YOU, PLEASE COME AGAIN'],
  ];
  return scanned(lines, random);
};

/** Whether text can be drawn here: for a machine without any font a made-up receipt is blank paper. */
export const canDrawText = async (): Promise<boolean> => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="40"><text y="30" font-size="30">Total</text></svg>';
  const { channels } = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).stats();
  return channels.some(({ min }) => min < 128);
};

/** Lines of a document: in the middle, or at both sides. */
export type Lines = readonly (readonly [string, string?])[];
type Random = () => number;

/**
 * A document with these lines as a scan, its noise and slight turn by the seed; `filled` is how many lines,
 * from the fourth on, have other handwriting for each seed.
 */
export const scanOf = (lines: Lines, seed: number, filled = 0): Promise<Buffer> => {
  const random = randomFrom(seed);
  const strokes = Array.from({ length: filled }, (_, n) => handwriting(300, 90 + (n + 3) * 36, random));
  return scanned(lines, random, strokes.join(''));
};

const handwriting = (left: number, base: number, random: Random): string => {
  const letters = Array.from({ length: 14 }, (_, n) => {
    const x = left + n * 11;
    return `Q ${x + random() * 11} ${base - 26 * random()} ${x + 11} ${base - 14 * random()}`;
  });
  return `<path d="M ${left} ${base} ${letters.join(' ')}" fill="none" stroke="#223a8a" stroke-width="2.4"/>`;
};

const SAME = [
  { name: 'Coffee beans 1kg', price: 12.5 },
  { name: 'Milk fresh 2L', price: 4.9 },
  { name: 'Paper A4 500', price: 23 },
];
const itemFrom = (random: Random) => ({
  name: GOODS[Math.floor(random() * GOODS.length)] ?? '',
  price: Math.round((2 + random() * 60) * 100) / 100,
});

const scanned = async (lines: Lines, random: Random, more = ''): Promise<Buffer> => {
  const texts = lines.map(([left, right], n) => {
    const y = 90 + n * 36;
    const at = right === undefined ? `x="${WIDTH / 2}" text-anchor="middle"` : 'x="30"';
    const other =
      right === undefined ? '' : `<text x="${WIDTH - 30}" y="${y}" text-anchor="end">${right}</text>`;
    return `<text ${at} y="${y}">${left}</text>${other}`;
  });
  const height = 120 + lines.length * 36;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}"><rect width="100%" height="100%" fill="#f4f3ee"/><g font-family="DejaVu Sans Mono, monospace" font-size="22" fill="#333">${texts.join('')}</g>${more}</svg>`;
  const clean = await sharp(Buffer.from(svg)).greyscale().toColourspace('b-w').raw().toBuffer();
  const noisy = clean.map((value) =>
    Math.max(0, Math.min(255, value + (random() + random() + random() - 1.5) * 30)),
  );
  return sharp(noisy, { raw: { width: WIDTH, height, channels: 1 } })
    .rotate((random() - 0.5) * 2, { background: '#fff' })
    .jpeg({ quality: 85 })
    .toBuffer();
};

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
const randomFrom = (seed: number): Random => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
};
