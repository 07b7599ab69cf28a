import { checkDigit } from '../../processing/fields/machineReadable.ts';

/** Who a card is for, as the machine-readable zone states it (ICAO 9303, TD1); days are ISO 8601. */
export type Holder = Readonly<{
  given: string;
  surname: string;
  nation: string;
  birth: string;
  expiry: string;
  documentNumber: string;
  sex: 'M' | 'F';
}>;

const WIDTH = 30;

/** The three lines of the zone, with their check digits. */
export const linesOf = ({ given, surname, nation, birth, expiry, documentNumber, sex }: Holder) => {
  const checked = (text: string): string => `${text}${checkDigit(text)}`;
  const [number, born, ends] = [filled(documentNumber, 9), short(birth), short(expiry)].map(checked);
  const first = `I<${filled(nation, 3)}${number}${filled('', 15)}`;
  const start = `${born}${sex}${ends}${filled(nation, 3)}${filled('', 11)}`;
  const whole = checkDigit(`${first.slice(5)}${born}${ends}${filled('', 11)}`);
  return [first, `${start}${whole}`, filled(`${letters(surname)}<<${letters(given)}`, WIDTH)];
};

const short = (iso: string): string => iso.slice(2).replaceAll('-', '');
const filled = (text: string, width: number): string => text.padEnd(width, '<').slice(0, width);

/** Letters as the zone writes them: Ä as AE, ß as SS, others without their marks. */
const letters = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll('Ä', 'AE')
    .replaceAll('Ö', 'OE')
    .replaceAll('Ü', 'UE')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Z]+/g, '<');
