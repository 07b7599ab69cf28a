import { randomBytes, randomInt } from 'node:crypto';

/**
 * Something that must not be found any more once it is forgotten: where it was given, and each form that it
 * may lie in.
 */
export type Planted = Readonly<{ name: string; forms: readonly Buffer[] }>;

/**
 * Values that nobody else has: texts, numbers and blocks of bytes that were planted, and all of them so far.
 */
export type Plants = Readonly<{
  /** A name that has letters alone. */
  text(name: string): string;
  number(name: string): string;
  /** A block of a file, found in it as it is or encoded. */
  block(name: string, bytes: Uint8Array): void;
  all(): readonly Planted[];
}>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LENGTH = 14;

/** Nothing is planted yet. */
export const createPlants = (): Plants => {
  const planted: Planted[] = [];
  const plant = (name: string, text: string): string => {
    planted.push({ name, forms: textForms(text) });
    return text;
  };
  return {
    text: (name) => plant(name, Array.from({ length: LENGTH }, () => LETTERS[randomInt(26)]).join('')),
    number: (name) => plant(name, `9${Array.from({ length: LENGTH }, () => randomInt(10)).join('')}`),
    block: (name, bytes) => void planted.push({ name, forms: byteForms(Buffer.from(bytes)) }),
    all: () => planted,
  };
};

/** Bytes that can't be compressed, as a text. */
export const noise = (bytes: number): string => randomBytes(bytes).toString('base64');

/** The names of those that the bytes hold. */
export const foundIn = (bytes: Buffer, planted: readonly Planted[]): readonly string[] =>
  planted.filter(({ forms }) => forms.some((form) => bytes.includes(form))).map(({ name }) => name);

/** Letters and digits alone are the same escaped for JSON, and in addresses. */
const textForms = (text: string): readonly Buffer[] => [
  ...byteForms(Buffer.from(text)),
  Buffer.from(text.toUpperCase()),
  Buffer.from(text, 'utf16le'),
];

const byteForms = (bytes: Buffer): readonly Buffer[] => {
  const hex = bytes.toString('hex');
  const encoded = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const texts = [hex, hex.toUpperCase(), ...encoded, ...encoded.map(urlSafe)];
  return [bytes, ...[...new Set(texts)].map((text) => Buffer.from(text))];
};

/**
 * What is the same in base64 whatever is before and after the bytes, where they start so many bytes into a
 * group of three.
 */
const base64At = (bytes: Buffer, offset: number): string => {
  const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
  const end = Math.floor((whole.length * 8) / 6);
  return whole.toString('base64').slice(Math.ceil((offset * 8) / 6), end);
};

const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
