import { Unreadable } from '../errors.ts';
import type { InputFile, Place } from '../types.ts';
import { decodeText } from './text.ts';

/** A member of a JSON document that holds a plain value, or null: how deep it lies, its key and the value. */
export type Entry = Readonly<{
  depth: number;
  key: string;
  value: string | number | boolean | null;
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
  let level: readonly (readonly [string, unknown])[] = [['', parse(file.label, bytes)]];
  for (let depth = 0; level.length > 0 && depth <= DEEPEST; depth += 1) {
    for (const [key, value] of level) if (isPlain(value)) entries.push({ depth, key, value, place });
    level = level.flatMap(([key, value]) => members(key, value));
    if (entries.length + level.length > MOST_ENTRIES)
      throw new Unreadable(
        `"${file.label}" has more than ${MOST_ENTRIES} values: upload a smaller document.`,
      );
  }
  return entries;
};

const parse = (label: string, bytes: Buffer): unknown => {
  try {
    return JSON.parse(decodeText(label, bytes).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unreadable(`"${label}" is no well-formed JSON: ${error.message}`);
  }
};

const isPlain = (value: unknown): value is Entry['value'] =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const members = (key: string, value: unknown): readonly (readonly [string, unknown])[] => {
  if (Array.isArray(value)) return value.map((item) => [key, item] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
};
