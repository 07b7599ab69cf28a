import type { Place } from '../../domain/submission/processingResult.ts';
import { escapePointer } from '../../kernel/fault.ts';
import { unsafeJsonFaults } from '../../schemas/unsafeJson.ts';
import { Unreadable } from '../errors.ts';
import type { InputFile } from '../types.ts';
import { decodeText } from './text.ts';

/**
 * A member of a JSON document with a plain value or null; `depth` is its nesting level. `isSpoilt`: digits of
 * the value are lost, it is given twice, or it has invalid characters.
 */
export type Entry = Readonly<{
  depth: number;
  key: string;
  value: string | number | boolean | null;
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
  let level: readonly Member[] = [{ pointer: '', key: '', value: parse(file.label, text) }];
  const spoilt = new Set(unsafeJsonFaults(text).map(({ pointer }) => pointer));
  for (let depth = 0; level.length > 0 && depth <= MAX_DEPTH; depth += 1) {
    for (const { pointer, key, value } of level)
      if (isPlain(value)) entries.push({ depth, key, value, isSpoilt: spoilt.has(pointer), place });
    level = level.flatMap(members);
    if (entries.length + level.length > MAX_ENTRIES)
      throw new Unreadable(`"${file.label}" has more than ${MAX_ENTRIES} values: upload a smaller document.`);
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
