import type { Position } from '../../../domain/kernel.ts';
import type { Stored } from '../port.ts';

/**
 * A document as it is stored. Its JSON is kept as text, so that it comes back exactly, whatever its keys, lists and depth. Beside it stands what
 * conditions and orders can name: its members without lists. `live` is missing from the marker of a deleted one; `waits` is there only while it can be claimed.
 */
export type Kept = Readonly<{
  _position: Position;
  live?: true;
  waits?: true;
  values?: Members;
  json?: string;
}>;

/** A document that is read: what `CONTENT` asks for. */
export type Read = Readonly<{ _id: string; _position: Position; json?: string }>;

/** The parts that are needed to give a document back. */
export const CONTENT = { _position: 1, json: 1 } as const;

type Members = Readonly<{ [name: string]: string | number | boolean | null | Members }>;

/** How a document is stored as of a position; null leaves a deletion marker. */
export const keep = (position: Position, document: object | null): Kept => {
  if (document === null) return { _position: position };
  const values = valuesOf(document, 1);
  const waits = typeof values.dueAt === 'string' && typeof values.lane === 'string';
  return { _position: position, live: true, ...(waits && { waits }), values, json: JSON.stringify(document) };
};

/** The document that was stored, and its position. */
export const stored = <D>({ _id, _position, json }: Read): Stored<D> => ({
  id: _id,
  position: _position,
  document: json === undefined ? null : (JSON.parse(json) as D),
});

/** BSON may be a hundred levels deep; no condition goes further than a few. */
const DEEPEST = 32;
/** What a path can name. `$` at the start is an operator's. */
const NAME = /^[\w-][\w$-]*$/;

const valuesOf = (value: object, depth: number): Members => {
  // Filled member by member: this is done for every document that is written, and entries would take five times as long.
  const members: Record<string, Members[string]> = {};
  for (const name of Object.keys(value)) {
    if (!NAME.test(name) || name === '__proto__') continue;
    const member: unknown = value[name as keyof typeof value];
    if (isScalar(member)) members[name] = member;
    else if (isObject(member) && depth < DEEPEST) members[name] = valuesOf(member, depth + 1);
  }
  return members;
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
