import type { Place } from '../../domain/submission/processingResult.ts';
import { escapePointer } from '../../kernel/fault.ts';
import { unsafeJsonFaults } from '../../schemas/unsafeJson.ts';
import { asShown } from '../characters.ts';
import { Unreadable } from '../errors.ts';
import type { InputFile } from '../types.ts';
import { decodeText } from './text.ts';

/**
 * A member of a JSON document with a plain value or null, and the text of that, of numbers as they stand
 * there; `depth` is its nesting level. `isSpoilt`: digits of the value are lost, it is given twice, or it has
 * invalid characters.
 */
export type Entry = Readonly<{
  depth: number;
  key: string;
  value: string | number | boolean | null;
  literal: string;
  isSpoilt: boolean;
  place: Place;
}>;

const MAX_DEPTH = 32;
const MAX_ENTRIES = 10_000;

/**
 * The members of a JSON document with plain values, the shallowest first; those deeper than 32 levels are
 * skipped. Throws Unreadable when it is not well-formed or has more than 10,000 values.
 */
export const readJson = (file: InputFile, bytes: Buffer): readonly Entry[] => {
  const place = { fileId: file.fileId, page: 1, size: null, box: null };
  const entries: Entry[] = [];
  const text = decodeText(file.label, bytes).replace(/^\uFEFF/, '');
  checkJson(file.label, text);
  let level: readonly Member[] = [{ pointer: '', key: '', value: JSON.parse(withLiterals(text)) }];
  const spoilt = new Set(unsafeJsonFaults(text).map(({ pointer }) => pointer));
  for (let depth = 0; level.length > 0 && depth <= MAX_DEPTH; depth += 1) {
    for (const { pointer, key, value } of level)
      if (isPlain(value)) entries.push({ depth, key, ...plain(value), isSpoilt: spoilt.has(pointer), place });
    level = level.flatMap(members);
    if (entries.length + level.length > MAX_ENTRIES)
      throw new Unreadable(`"${file.label}" has more than ${MAX_ENTRIES} values: upload a smaller document.`);
  }
  return entries;
};

type Member = Readonly<{ pointer: string; key: string; value: unknown }>;

const checkJson = (label: string, text: string): void => {
  try {
    JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unreadable(`"${label}" is no well-formed JSON: ${error.message}`);
  }
};

/** Marks a text that was a number: no text has it, since it is for private use. */
const NUMBER = '\u{f0001}';

/** A JSON text with its numbers as marked texts: a number keeps none of its zeros after the point. */
const withLiterals = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"${NUMBER}${token}"`,
  );

const isPlain = (value: unknown): value is string | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'boolean';

const plain = (value: string | boolean | null): Pick<Entry, 'value' | 'literal'> => {
  if (typeof value !== 'string') return { value, literal: String(value) };
  if (!value.startsWith(NUMBER)) return { value: asShown(value), literal: asShown(value) };
  const literal = value.slice(NUMBER.length);
  return { value: Number(literal), literal };
};

const members = ({ pointer, key, value }: Member): readonly Member[] => {
  if (Array.isArray(value))
    return value.map((item, index) => ({ pointer: `${pointer}/${index}`, key, value: item }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, inner]) => ({
    pointer: `${pointer}/${escapePointer(name)}`,
    key: name,
    value: inner,
  }));
};
