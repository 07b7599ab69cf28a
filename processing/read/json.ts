import { escapePointer } from '../../kernel/fault.ts';
import { unsafeJsonFaults } from '../../schemas/unsafeJson.ts';
import { Unreadable } from '../errors.ts';
import type { InputFile, Place } from '../types.ts';
import { decodeText } from './text.ts';

/**
 * A member of a JSON document that holds a plain value, or null: how deep it lies, its key and the value. `isSpoilt` where the value is not what
 * was written: digits are lost, it is given twice, or holds what is no character.
 */
export type Entry = Readonly<{
  depth: number;
  key: string;
  value: string | number | boolean | null;
  isSpoilt: boolean;
  place: Place;
}>;

const DEEPEST = 32;
const MOST_ENTRIES = 10_000;

/**
 * Every plain value of a JSON document with its key, the shallowest first. Throws Unreadable when it is not
 * well-formed or has more than 10,000 values; members deeper than 32 are left out.
 */
export const readJson = (file: InputFile, bytes: Buffer): readonly Entry[] => {
  const place = { fileId: file.fileId, page: 1, size: null, box: null };
  const entries: Entry[] = [];
  const text = decodeText(file.label, bytes).replace(/^\uFEFF/, '');
  let level: readonly Member[] = [{ pointer: '', key: '', value: parse(file.label, text) }];
  const spoilt = new Set(unsafeJsonFaults(text).map(({ pointer }) => pointer));
  for (let depth = 0; level.length > 0 && depth <= DEEPEST; depth += 1) {
    for (const { pointer, key, value } of level)
      if (isPlain(value)) entries.push({ depth, key, value, isSpoilt: spoilt.has(pointer), place });
    level = level.flatMap(members);
    if (entries.length + level.length > MOST_ENTRIES)
      throw new Unreadable(
        `"${file.label}" has more than ${MOST_ENTRIES} values: upload a smaller document.`,
      );
  }
  return entries;
};

type Member = Readonly<{ pointer: string; key: string; value: unknown }>;

const parse = (label: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unreadable(`"${label}" is no well-formed JSON: ${error.message}`);
  }
};

const isPlain = (value: unknown): value is Entry['value'] =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';

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
