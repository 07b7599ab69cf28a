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
  const escaped = text.replace(/[\\()]/g, '\\$&');
  return `BT /${font} ${size} Tf ${left.toFixed(2)} ${height - y} Td (${escaped}) Tj ET`;
};

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
  // A byte a letter, as the offsets count: WinAnsi and Latin-1 are the same for what is written here.
  return Buffer.from(
    `${parts.join('')}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
};
