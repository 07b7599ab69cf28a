import { pdfStream, pdfWith } from './files.ts';

/** Text of 10 points, or so many, at a place. */
export const at = (x: number, y: number, text: string, size = 10): string =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
export const HEAD = at(20, 480, 'Nordlicht GmbH');
export const TOTAL = at(20, 440, 'Total: 412.50');
export const DECOY = at(20, 400, 'Total: 999.00');

/** What pages of these tests may use besides a font. */
const RESOURCES = `/Resources << /Font << /F1 4 0 R /F3 6 0 R >>
  /ExtGState << /Clear << /ca 0.03 >> /Screen << /BM /Screen >> >>
  /Pattern << /White 8 0 R >> /Shading << /Grey << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 300 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0.9] /N 1 >> >> >> /XObject << /Form 9 0 R >> >>`;
const MORE = [
  // A font whose letters draw nothing.
  `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /Resources << >>
    /CharProcs << /a 7 0 R >> /FirstChar 32 /LastChar 122 /Widths [${'600 '.repeat(91)}]
    /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [0 /a] >> >>`,
  pdfStream('', Buffer.from('600 0 d0')).toString(),
  '<< /Type /Pattern /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 300 0] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [1] /N 1 >> >> >>',
  pdfStream(
    '/Type /XObject /Subtype /Form /BBox [0 0 300 500] /Resources << /Font << /F1 4 0 R >> >>',
    Buffer.from(`1 g ${DECOY}`),
  ).toString(),
];
/** A PDF of a page with a head and this content. */
export const pdfOf = (content: readonly string[], page = ''): Buffer =>
  pdfWith(Buffer.from([HEAD, ...content].join('\n')), '', `${page} ${RESOURCES}`, 'Courier', MORE);

/** A picture with stripes, from the lower left corner. */
export const stripes = (left: number, bottom: number, width: number, height: number): string =>
  `q ${width} 0 0 ${height} ${left} ${bottom} cm BI /W 8 /H 4 /CS /G /BPC 8 /F /AHx ID ${'40ff80c0'.repeat(8)}> EI Q`;

/** Ways to hide a second total of a page, which is `DECOY`. */
export const HIDDEN: Readonly<Record<string, string>> = {
  'white on white': `1 g ${DECOY} 0 g`,
  'as dark as the bar below': `0.3 g 10 390 200 30 re f 0.31 g ${DECOY} 0 g`,
  'of the colour of the bar below': `1 0 0 rg 10 390 200 30 re f ${DECOY} 0 g`,
  'in a white pattern': `/Pattern cs /White scn ${DECOY} 0 g`,
  'white on a table with rules': `0.5 w 10 403 m 200 403 l S 60 390 m 60 420 l S 1 g ${DECOY} 0 g`,
  'nearly transparent': `q /Clear gs ${DECOY} Q`,
  'blended away': `q /Screen gs ${DECOY} Q`,
  'in a mode that draws nothing': `q 3 Tr ${DECOY} Q`,
  'in a font without shapes': DECOY.replace('/F1', '/F3'),
  'white within a form': '/Form Do',
  'of 0.4 points': at(20, 400, 'Total: 999.00', 0.4),
  'of two points': at(20, 400, 'Total: 999.00', 2),
  'made small by its matrix': `q 0.2 0 0 0.2 16 320 cm ${DECOY} Q`,
  'pressed together': `q 2 Tz ${DECOY} Q`,
  'under a box': `${DECOY} 1 g 10 390 200 30 re f 0 g`,
  'under a dark box': `${DECOY} 0.2 g 10 390 200 30 re f 0 g`,
  'under a wide line': `${DECOY} 1 G 40 w 10 405 m 210 405 l S`,
  'under a fill by a pattern': `${DECOY} /Pattern cs /White scn 10 390 200 30 re f 0 g`,
  'under a shading': `${DECOY} q 10 390 200 30 re W n /Grey sh Q`,
  'under a picture': `${DECOY} ${stripes(10, 390, 200, 30)}`,
  'off the page': at(20, 640, 'Total: 999.00'),
  'outside of a clip': `q 10 460 200 30 re W n ${DECOY} Q`,
  'in a clip without width': `q 10 390 0 30 re W n ${DECOY} Q`,
  'right above what is seen': `1 g ${at(20, 447, 'Total: 999.00')} 0 g`,
  'invisible right below what is seen': `q 3 Tr ${at(20, 432, 'Total: 999.00')} Q`,
  'white beside what is seen': `1 g ${at(104, 440, '999.00')} 0 g`,
};
