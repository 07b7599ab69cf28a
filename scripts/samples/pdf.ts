/** Marks on a page in points, from its top left corner; `right` says that `x` is where a text ends. */
export type Mark =
  | Readonly<{ text: string; x: number; y: number; size?: number; font?: Font; right?: boolean }>
  | Readonly<{ line: readonly [left: number, right: number]; y: number }>
  | Readonly<{ box: readonly [x: number, y: number, width: number, height: number]; grey: number }>;
export type PdfPage = Readonly<{ width: number; height: number; marks: readonly Mark[] }>;

const FONTS = { plain: 'Helvetica', bold: 'Helvetica-Bold', typed: 'Courier' } as const;
export type Font = keyof typeof FONTS;

/** A PDF of pages in the fonts that every reader has, so that it can be drawn on a machine without any. */
export const pdfOf = (pages: readonly PdfPage[]): Buffer => {
  const names = Object.keys(FONTS);
  const first = 3 + names.length;
  const fonts = names.map((name, index) => `/${name} ${3 + index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    ...Object.values(FONTS).map(
      (font) => `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
    ),
    ...pages.flatMap(({ width, height, marks }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${first + 2 * index + 1} 0 R /Resources << /Font << ${fonts} >> >> >>`,
      streamOf(marks.map((mark) => drawn(mark, height)).join('\n')),
    ]),
  ];
  return fileOf(objects);
};

/** A JPEG picture of a page, its size in pixels, and the width at which it is shown, in points. */
export type Picture = Readonly<{ jpeg: Buffer; width: number; height: number; shown: number }>;

/** A PDF whose pages are pictures, as scanners make them. */
export const pdfOfPictures = (pictures: readonly Picture[]): Buffer =>
  fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pictures.map((_, index) => `${3 + 3 * index} 0 R`).join(' ')}] /Count ${pictures.length} >>`,
    ...pictures.flatMap(({ jpeg, width, height, shown }, index) => {
      const [own, high] = [3 + 3 * index, Math.round((shown * height) / width)];
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${shown} ${high}] /Contents ${own + 1} 0 R /Resources << /XObject << /P ${own + 2} 0 R >> >> >>`,
        streamOf(`${shown} 0 0 ${high} 0 0 cm /P Do`),
        `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n${jpeg.toString('latin1')}\nendstream`,
      ];
    }),
  ]);

const streamOf = (content: string): string =>
  `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;

const drawn = (mark: Mark, height: number): string => {
  if ('line' in mark)
    return `0.6 w ${mark.line[0]} ${height - mark.y} m ${mark.line[1]} ${height - mark.y} l S`;
  if ('box' in mark) {
    const [x, y, wide, high] = mark.box;
    return `q ${mark.grey} g ${x} ${height - y - high} ${wide} ${high} re f Q`;
  }
  const { text, x, y, size = 10, font = 'plain', right = false } = mark;
  const left = right ? x - size * widthOf(text, font) : x;
  const escaped = text.replace(/[€–—’]/g, (letter) => WIN_ANSI[letter] ?? letter).replace(/[\\()]/g, '\\$&');
  return `BT /${font} ${size} Tf ${left.toFixed(2)} ${height - y} Td (${escaped}) Tj ET`;
};

/** The characters that WinAnsi has elsewhere than Latin-1. */
const WIN_ANSI: Readonly<Record<string, string>> = { '€': '\x80', '–': '\x96', '—': '\x97', '’': '\x92' };

/** Of an amount, in ems: digits are all of one width, and so are the marks between them. */
const widthOf = (amount: string, font: Font): number => {
  const narrow = font === 'typed' ? 0.6 : 0.278;
  const wide = font === 'typed' ? 0.6 : 0.556;
  return [...amount].reduce((sum, letter) => sum + (/[.,: ]/.test(letter) ? narrow : wide), 0);
};

const fileOf = (objects: readonly string[]): Buffer => {
  const parts = ['%PDF-1.4\n'];
  const offsets = objects.map((object, index) => {
    const offset = parts.join('').length;
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`);
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = parts.join('').length;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  // A byte a letter, as the offsets count: WinAnsi's own characters were written as such.
  return Buffer.from(
    `${parts.join('')}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
};
