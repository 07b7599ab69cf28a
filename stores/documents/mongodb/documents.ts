import type { Position } from '../../../kernel/event.ts';
import { answersOf } from '../answers.ts';
import type { Stored, Write } from '../port.ts';
import { wordsOf } from '../words.ts';

/**
 * A document as it is stored: `values` are its members without lists, which conditions and orders can name.
 * Where these are not the whole of it, or MongoDB's form would not keep them exactly, its JSON is stored
 * beside them as text. `answers` are those to be sent, `words` what it is found by. `live` is missing from
 * the marker of a deleted one; `waits` is there only while it can be claimed.
 */
export type StoredDocument = Readonly<{
  _position: Position;
  live?: true;
  waits?: true;
  values?: Members;
  json?: string;
  answers?: Readonly<Record<string, string>>;
  words?: readonly string[];
}>;

/** A document as `CONTENT` selects it. */
export type Read = Readonly<{ _id: string; _position: Position; values?: Members; json?: string }>;

/** The parts that are needed to give a document back. */
export const CONTENT = { _position: 1, values: 1, json: 1 } as const;

type Members = Readonly<{ [name: string]: string | number | boolean | null | Members }>;

/** How a document is stored as of a position; null leaves a deletion marker. */
export const encodeDocument = ({ position, document, answers, words }: Encoded): StoredDocument => {
  if (document === null) return { _position: position };
  const copy = { whole: true };
  const values = valuesOf(document, 1, copy);
  const waits = typeof values.dueAt === 'string' && typeof values.lane === 'string';
  return {
    _position: position,
    live: true,
    ...(waits && { waits }),
    values,
    ...(copy.whole ? {} : { json: JSON.stringify(document) }),
    ...(answers && { answers: answersOf(answers, document) }),
    ...(words && { words: wordsOf(words, document) }),
  };
};

type Encoded = Pick<Write, 'position' | 'document' | 'answers' | 'words'>;

/** The document that was stored; null if what was read is a deletion marker. */
export const decodeDocument = <D>({ values, json }: Read): D | null =>
  (json === undefined ? (values ?? null) : JSON.parse(json)) as D | null;

/** The document that was stored, and its position. */
export const stored = <D>(read: Read): Stored<D> => ({
  id: read._id,
  position: read._position,
  document: decodeDocument(read),
});

/** BSON may be a hundred levels deep; no condition needs more than a few. */
const MAX_DEPTH = 32;
/**
 * What a path can name. `$` at the start is an operator's; objects with a `_bsontype` are the client's own,
 * and any other that has one is refused; servers may put an `_id` before all other members.
 */
const NAME = /^(?!__proto__$|_bsontype$|_id$)[\w-][\w$-]*$/;

/** Half of a pair of surrogates, which UTF-8 has no bytes for. */
const HALF = /\p{Surrogate}/u;

/** The members that a path can name; the copy is not whole where others are left out. */
const valuesOf = (value: object, depth: number, copy: { whole: boolean }): Members => {
  // Filled member by member: this is done for every document that is written, and entries would take five
  // times as long.
  const members: Record<string, Members[string]> = {};
  for (const name of Object.keys(value)) {
    const member: unknown = value[name as keyof typeof value];
    if (member === undefined) continue;
    const named = NAME.test(name);
    if (named && isScalar(member)) {
      members[name] = member;
      if (typeof member === 'string' && HALF.test(member)) copy.whole = false;
    } else if (named && isObject(member) && depth < MAX_DEPTH) {
      members[name] = valuesOf(member, depth + 1, copy);
    } else copy.whole = false;
  }
  return members;
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
