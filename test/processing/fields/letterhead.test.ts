import * as assert from 'uvu/assert';
import { finder } from '../../../processing/fields/find.ts';
import { outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { notation } from '../files.ts';
import { drawn } from './layouts.ts';

const test = suite('letterhead');

const FIELDS = [
  outputField('company'),
  outputField('address'),
  outputField('date', { type: 'date' }),
  outputField('total', { type: 'number' }),
];

type Values = Readonly<{ company?: string | undefined; address?: string | undefined }>;
type Head = readonly [title: string, head: string, values: Values];

/** What stands below a head: nothing of it is a name or an address. */
const BODY = ['', 'TAX INVOICE', 'Date : 15/01/2018 12:30', 'BLUE PEN     10.00', 'TOTAL    10.00'];

const expectHead = (head: string, values: Values): void => {
  const pages = [drawn([...head.split('\n'), ...BODY])];
  for (const [name, value] of Object.entries(values)) {
    const found = finder({ pages, entries: [] }, notation, FIELDS)(outputField(name))?.value;
    assert.is(found, value, name);
  }
};

const PLAIN = 'LOT 5, JALAN SATU,\n43000 KAJANG, SELANGOR';

const names: readonly Head[] = [
  [
    'a legal name below the address of its brand',
    `Green Garden Kitchen\n${PLAIN}\nGREEN GARDEN KITCHEN SDN BHD (438221-T)`,
    { company: 'GREEN GARDEN KITCHEN SDN BHD' },
  ],
  [
    'another legal name below the address',
    `Green Garden Kitchen\n${PLAIN}\nBLUE RIVER SDN BHD`,
    { company: 'Green Garden Kitchen' },
  ],
  ['a registration number in brackets', 'PASTI MART (001234567-X)', { company: 'PASTI MART' }],
  ['a registration number of letters and digits', 'AH SENG CAFE (JM0326955-T)', { company: 'AH SENG CAFE' }],
  ['a registration number without a dash', 'AH SENG CAFE (SA 0123456 X)', { company: 'AH SENG CAFE' }],
  ['a registration number behind a dash', 'AH SENG CAFE - 123456-X', { company: 'AH SENG CAFE' }],
  ['old and new registration numbers', 'SINAR GIFT\n200001012345 (512345-X)', { company: 'SINAR GIFT' }],
  ['a labelled number beside the name', 'SINAR HARDWARE (CO. NO: 123456-X)', { company: 'SINAR HARDWARE' }],
  [
    'a labelled number below the name',
    'SINAR HARDWARE\nCompany Reg No: 123456-X',
    { company: 'SINAR HARDWARE' },
  ],
  ['a company number in brackets', 'SINAR HARDWARE\n(COMPANY NO: 123456-X)', { company: 'SINAR HARDWARE' }],
  ['a short legal form', '88 RAPID MART S/B (519537-X)', { company: '88 RAPID MART S/B' }],
  [
    'a legal form below',
    'SINAR MAJU MALAYSIA\nSDN. BHD. (123456-X)',
    { company: 'SINAR MAJU MALAYSIA SDN. BHD.' },
  ],
  [
    'a place and a legal form below',
    'SINAR EXPRESS\n(KAJANG) SDN BHD',
    { company: 'SINAR EXPRESS (KAJANG) SDN BHD' },
  ],
  [
    'a brand above, the form below',
    'SINAR BOOKS\nSINAR BOOK CENTRE (KAJANG)\nSDN BHD',
    { company: 'SINAR BOOK CENTRE (KAJANG) SDN BHD' },
  ],
  [
    'what it does before its form below',
    'BULAN TERANG\nMARKETING SDN BHD',
    { company: 'BULAN TERANG MARKETING SDN BHD' },
  ],
  ['nothing but what it does before its form', 'GLOBAL FOOD SDN BHD', { company: 'GLOBAL FOOD SDN BHD' }],
  ['a name that goes on', 'BULAN PAINT &\nTILES TRADING', { company: 'BULAN PAINT & TILES TRADING' }],
  ['a public company', 'BINTANG RAYA BERHAD (6171-M)', { company: 'BINTANG RAYA BERHAD' }],
  ['letters of a short name', 'KTM\nSINCE 1998', { company: 'KTM' }],
  ['an ampersand of a short name', 'B&K', { company: 'B&K' }],
  ['a short name with a legal form', 'KTM SDN BHD', { company: 'KTM SDN BHD' }],
  ['five digits like a postcode', 'BLUE DOOR (KL) SDN BHD (81990)', { company: 'BLUE DOOR (KL) SDN BHD' }],
  ['a torn legal form above', 'SDN HD\nBLUE DOOR ENTERPRISE', { company: 'BLUE DOOR ENTERPRISE' }],
  ['an at sign', 'CAFE @ SS2', { company: 'CAFE @ SS2' }],
  ['its kind above', 'RESTORAN\nSINAR MAJU', { company: 'RESTORAN SINAR MAJU' }],
  ['a kind of two words above', 'KEDAI RUNCIT\nPAK ALI', { company: 'KEDAI RUNCIT PAK ALI' }],
  ['a legal form without its end', 'SINAR FRUITS SDN', { company: 'SINAR FRUITS SDN BHD' }],
  ['a legal form on two lines', 'SINAR FRUITS SDN\nBHD (123456-X)', { company: 'SINAR FRUITS SDN BHD' }],
  ['a misread legal form', 'SINAR FRUITS SUN BHD', { company: 'SINAR FRUITS SDN BHD' }],
  [
    'a brand above, its company in brackets',
    'XYPetrol Permas Jaya 2\n(Sinar Setia Sdn Bhd - 123456-M)',
    { company: 'Sinar Setia Sdn Bhd' },
  ],
  [
    'its company below who manages it',
    'THE KITCHEN\nOwned & Managed By:\nBULAN F&B SDN BHD',
    { company: 'BULAN F&B SDN BHD' },
  ],
  ['a member of a group', 'SINAR TOY BOX\nA MEMBER OF BULAN GROUP', { company: 'SINAR TOY BOX' }],
  ['the number of a house', 'No.1 FRIED CHICKEN', { company: 'No.1 FRIED CHICKEN' }],
  ['a lot', 'LOT 10 HOCK KEE', { company: 'LOT 10 HOCK KEE' }],
  ['a garden', 'RESTORAN TAMAN SARI', { company: 'RESTORAN TAMAN SARI' }],
  ['a town', 'SUNGAI BULOH NURSERY', { company: 'SUNGAI BULOH NURSERY' }],
  ['a number of its name', 'STUDIO PHOTO 168', { company: 'STUDIO PHOTO 168' }],
  ['a year and a word of streets', 'BANDAR CAFE 1998', { company: 'BANDAR CAFE 1998' }],
  ['words of labels', 'TABLE & CHAIR RESTAURANT', { company: 'TABLE & CHAIR RESTAURANT' }],
  ['a word of totals', 'TOTAL TOOLS HARDWARE', { company: 'TOTAL TOOLS HARDWARE' }],
  ['a legal form as its first word', 'CORP BAKERY', { company: 'CORP BAKERY' }],
  ['a legal form as a word', 'LIMITED EDITION STORE', { company: 'LIMITED EDITION STORE' }],
  ['what looks like a legal form', 'BOOK HOUSE SDA', { company: 'BOOK HOUSE SDA' }],
  ['sons', 'LIM & SON.', { company: 'LIM & SON.' }],
  [
    'the kind of business above a dealer',
    'PERNIAGAAN TERANG\nHARDWARE DEALER',
    { company: 'PERNIAGAAN TERANG' },
  ],
  ['a town and a slogan', 'KAJANG HARDWARE\nYour trusted partner', { company: 'KAJANG HARDWARE' }],
  ['a branch', 'SINAR FOOD (KUALA LUMPUR)\nHALAL', { company: 'SINAR FOOD (KUALA LUMPUR)' }],
  ['a slogan above', 'Great taste every day\nSINAR BAKERY', { company: 'SINAR BAKERY' }],
  ['who owns it', 'SINAR GIFT\n(OWNED BY: BULAN SDN BHD)', { company: 'SINAR GIFT' }],
  [
    'its former name',
    'SINAR GIFT SDN BHD\n(FORMERLY KNOWN AS BULAN SDN BHD)',
    { company: 'SINAR GIFT SDN BHD' },
  ],
  [
    'a customer below',
    `SINAR GIFT TRADING\n${PLAIN}\nM/S : BULAN SDN BHD`,
    { company: 'SINAR GIFT TRADING' },
  ],
  ['a title in one word above', 'TAXINVOICE\nSINAR FOOD', { company: 'SINAR FOOD' }],
  ['a welcome before it', 'WELCOME TO SINAR FOOD', { company: 'SINAR FOOD' }],
  ['a number behind a word of labels', 'TABLE 8 BISTRO', { company: 'TABLE 8 BISTRO' }],
  ['a limited partnership', 'SINAR PLT (LLP0012345-LGN)', { company: 'SINAR PLT' }],
  ['marks around it', '== SINAR ==\nMINI MARKET', { company: 'SINAR' }],
  [
    'its branch below',
    'SINAR SDN BHD\nCAWANGAN TAMAN DAYA\n(No. Syarikat 123456-X)',
    { company: 'SINAR SDN BHD' },
  ],
  ['a caption before it', 'From: SINAR FOOD', { company: 'SINAR FOOD' }],
  ["a customer's company", `SINAR GIFT TRADING\n${PLAIN}\nBill to: BULAN`, { company: 'SINAR GIFT TRADING' }],
  ['a caption', `${PLAIN}\nCompany: BULAN TRADING`, { company: 'BULAN TRADING' }],
];
for (const title of 'RECEIPT,RESIT,DUPLICATE,*** REPRINT ***,CUSTOMER COPY,GUEST CHECK,QUOTATION,HALAL,TAKE AWAY,CASH BILL,Queue 12,WELCOME TO,SIMPLIFIED TAX INVOICE'.split(
  ',',
))
  test(`the company below the title ${title}`, () =>
    expectHead(`${title}\nSINAR FOOD\n${PLAIN}`, { company: 'SINAR FOOD' }));
for (const [title, head, values] of names)
  test(`a company with ${title}`, () =>
    expectHead(head.includes(PLAIN) ? head : `${head}\n${PLAIN}`, values));

const addresses: readonly (readonly [title: string, address: string])[] = [
  ['one line', '12, Jalan Midah, Taman Midah, 56000 Cheras, KL'],
  ['two lines', 'BATU 3, JALAN CHERAS,\n56100 KUALA LUMPUR'],
  [
    'a number that is no sum of money',
    'NO. 53 55,57 & 59, JALAN SAGU 18,\nTAMAN DAYA,\n81100 JOHOR BAHRU,\nJOHOR.',
  ],
  ['numbers of lots', 'LOT 12,13 & 14, JALAN SATU,\n81100 JOHOR BAHRU'],
  ['units with points', 'NO. 1.01 & 1.02, FIRST FLOOR, MALL SATU,\n81100 JOHOR BAHRU'],
  ['a unit of letters', 'F1.23, MALL SATU,\nJALAN DUA\n81100 JOHOR BAHRU'],
  ['units of letters', 'G-12 & G-13, MALL SATU,\n81100 JOHOR BAHRU'],
  ['a building first', 'WISMA SINAR, JALAN AMPANG,\n50450 KUALA LUMPUR'],
  ['a floor first', 'GROUND FLOOR, BLOCK B,\nNO 2, JALAN MIDAH,\n56000 KUALA LUMPUR'],
  ['a garden first', 'TAMAN MIDAH,\n56000 CHERAS,\nKUALA LUMPUR'],
  ['a house alone in its line', 'NO. 12,\nJALAN MIDAH 3,\n56000 CHERAS'],
  ['a plot of five digits', 'LOT 34817 JALAN BATU SATU\nTAMAN LIMA\n51200 KUALA LUMPUR'],
  [
    'a mall of seven lines',
    'LOT G.23, GROUND FLOOR\nBULAN SHOPPING MALL\nNO 3, JALAN PJS 11/15\nBANDAR SUNWAY\n46150 PETALING JAYA\nSELANGOR',
  ],
  [
    'eight lines',
    'Unit L1-05,\nLevel 1,\nMall Satu,\nNo 8, Jalan Dua,\nTaman Tiga,\nBandar Empat,\n81100 Johor Bahru,\nJohor',
  ],
  ['no postcode', 'No 8, Jalan Dua,\nTaman Tiga,\nBandar Empat,\nJohor Bahru,\nJohor'],
  ['a block of flats', 'A-5-10, Blok A,\nJalan PJU 1/39,\n47301 Petaling Jaya,\nSelangor Darul Ehsan.'],
  ['a country', '12, JALAN MIDAH,\n56000 CHERAS,\nKUALA LUMPUR, MALAYSIA.'],
  ['a part of the country', '12, JALAN MIDAH,\n81100 JOHOR BAHRU,\nJOHOR, WEST MALAYSIA.'],
  ['a town alone', '12, JALAN TANAH RATA,\n39100 BRINCHANG,\nCAMERON HIGHLANDS,\nPAHANG'],
  ['a postcode with a comma', '12, JALAN MIDAH 1,\n56000, CHERAS, KUALA LUMPUR'],
  ['a postcode by itself', '12, JALAN MIDAH 1, CHERAS,\n56000\nKUALA LUMPUR'],
  ['a lane off another', 'OFF JALAN LIMA,\n12, JALAN SS2/5,\n39100 BRINCHANG.\nCAMERON HIGHLANDS.\nPAHANG.'],
  [
    'a suite and a building',
    'SUITE 1-2, 1ST FLOOR\nWISMA SINAR\nJALAN BUKIT BINTANG\n55100 KUALA LUMPUR\nWP KUALA LUMPUR',
  ],
  ['a mall first', 'BULAN MALL\nLG 12\n47300 PETALING JAYA'],
  ['short forms', 'NO.5 JLN MAWAR 2/1\nTMN MAWAR\n48000 RAWANG'],
  ['words in brackets', 'NO 5 (GROUND FLOOR), JALAN SATU,\n47300 PETALING JAYA'],
  ['a drive', '785 Springer Drive\nLombard, IL 60148'],
  ['a unit in Singapore', 'BLK 123 ANG MO KIO AVE 3\n#01-1234 SINGAPORE 560123'],
  ['a short postcode of Singapore', '313 Orchard Rd, #B3-10\nS(238895)'],
  ['a state in short', 'NO 9, JALAN DUA,\n43000 KAJANG,\nSEL.'],
  ['everything in one line', 'NO 5 JALAN SATU TAMAN DUA 43000 KAJANG SELANGOR DARUL EHSAN MALAYSIA'],
  ['a postcode behind its town', 'NO.5,JALAN SATU,\nTAMAN DUA,\nKAJANG,43000\nSELANGOR'],
  ['a floor before its house', '1ST FLOOR, NO. 5\nJALAN SATU\nKAJANG'],
  ['a box', 'P.O. BOX 123,\n56000 Cheras'],
  ['a street of Sarawak', 'SUBLOT 12, LOT 1234, BLOCK 5,\nJALAN TUN RAZAK,\n93450 KUCHING, SARAWAK'],
  ['the United States', '123 Main Street\nSpringfield, IL 62701'],
  ['the United Kingdom', '12 High Street\nLondon SW1A 1AA'],
  ['Germany', 'Hauptstraße 12\n10115 Berlin'],
  ['Singapore', '12 Orchard Road #02-03\nSingapore 238801'],
  ['Australia', '5 George Street\nSydney NSW 2000'],
  ['Indonesia', 'Jl. Merdeka No. 12\nJakarta 10110'],
];
const name = 'SINAR BAKERY';
for (const [title, address] of addresses)
  test(`an address of ${title}`, () =>
    expectHead(`${name}\n${address}\nTel : 03-87331234`, {
      company: name,
      address: address.replaceAll('\n', ' '),
    }));

const KEPT = '12, Jalan Midah, 56000 Cheras';
for (const after of 'TAKE AWAY,DINE IN,DUPLICATE,SALES SLIP,CHERAS BRANCH,Ahmad,Served by Amin,Official Copy,Open daily,Business Hour 9am - 9pm,03-8733 1234'.split(
  ',',
))
  test(`an address above ${after}`, () => expectHead(`${name}\n${KEPT}\n${after}`, { address: KEPT }));

const around: readonly Head[] = [
  [
    'the caption of an office',
    'GREEN GARDEN KITCHEN SDN BHD\nRegistered Office: 12, JALAN SATU, 43000 KAJANG, SELANGOR',
    { address: '12, JALAN SATU, 43000 KAJANG, SELANGOR' },
  ],
  ['a caption', `${name}\nAddress: ${KEPT}`, { address: KEPT }],
  ['a short caption', `${name}\nAddr :${KEPT}`, { address: KEPT }],
  ['a head office', `${name}\nHQ: ${KEPT}`, { address: KEPT }],
  ['a telephone behind it', `${name}\n${KEPT} TEL: 03-87331234`, { address: KEPT }],
  ['a telephone and fax behind it', `${name}\n${KEPT} Tel/Fax : 03-87331234`, { address: KEPT }],
  ['a tax number inside it', `${name}\n12, Jalan Midah,\n(GST ID: 000123)\n56000 Cheras`, { address: KEPT }],
  ['a telephone inside it', `${name}\n12, Jalan Midah,\nTel: 03-87331234\n56000 Cheras`, { address: KEPT }],
  [
    'the name in it',
    'SINAR GIFT\nSINAR MALL,\n12, Jalan Midah, 56000 Cheras',
    { company: 'SINAR GIFT', address: `SINAR MALL, ${KEPT}` },
  ],
  [
    'labels right of it',
    `${name}              Invoice No : CS-12\n12, Jalan Midah,          Date : 15/01/2018\n56000 Cheras              Cashier : Kim`,
    { company: name, address: KEPT },
  ],
  [
    'a title right of the name',
    `${name}              INVOICE\n12, Jalan Midah,          INV-17\n56000 Cheras              15/01/2018`,
    { company: name, address: KEPT },
  ],
  [
    'a customer right of it',
    `${name}              Kim Miller\n12, Jalan Midah,          7 Mill Road\n56000 Cheras              40300 Springfield`,
    { company: name, address: KEPT },
  ],
  [
    'an address right of the name',
    'SINAR BAKERY LTD            12, Jalan Midah,\nTel: 03-87331234            56000 Cheras',
    { company: 'SINAR BAKERY LTD', address: KEPT },
  ],
];
for (const [title, head, values] of around) test(`a head with ${title}`, () => expectHead(head, values));

test('an address that begins with its postcode is reported with little confidence', () => {
  const found = finder(
    { pages: [drawn([name, '56000 CHERAS,', 'SELANGOR', ...BODY])], entries: [] },
    notation,
    FIELDS,
  );
  assert.ok((found(outputField('address'))?.confidence ?? 1) <= 0.6);
});

test('a head of long rows of marks and digits takes no time', () => {
  for (const part of ['(', '1&', '(123', '1 ,', 'tel ', ', -'])
    expectHead(`${part.repeat(20_000)}\n${name}\n${KEPT}`, { address: KEPT });
});

test('marks of a logo and of a margin are no part of a name or an address', () => {
  const rows = ['«3h | Wh', '| B&K PAINT & TILES y', '~ 12, JALAN MIDAH 3, ry', '56000 CHERAS .'];
  const { lines } = drawn([...rows, ...BODY]);
  const unsure = new Set(['«3h', '|', 'Wh', 'y', '~', 'ry', '.']);
  const doubted = lines.map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, confidence: unsure.has(word.text) ? 0.3 : 0.96 })),
  }));
  const find = finder({ pages: [{ fileId: 'f', number: 1, lines: doubted }], entries: [] }, notation, FIELDS);
  assert.is(find(outputField('company'))?.value, 'B&K PAINT & TILES');
  assert.is(find(outputField('address'))?.value, '12, JALAN MIDAH 3, 56000 CHERAS');
});
