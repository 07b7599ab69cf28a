import { escapePointer } from '../../kernel/fault.ts';

/** A member that differs: its JSON Pointer, what was found and what was expected (undefined: nothing). */
export type Difference = Readonly<{ pointer: string; found: unknown; expected: unknown }>;

/**
 * The differences between a JSON value and the expected one, member by member and item by item; at most 100.
 */
export const differences = (found: unknown, expected: unknown): readonly Difference[] => {
  const all: Difference[] = [];
  const compare = (one: unknown, other: unknown, pointer: string): void => {
    if (all.length >= MAX_DIFFERENCES) return;
    if (!isStructure(one) || !isStructure(other) || Array.isArray(one) !== Array.isArray(other)) {
      if (one !== other) all.push({ pointer, found: one, expected: other });
      return;
    }
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    for (const name of names) compare(own(one, name), own(other, name), `${pointer}/${escapePointer(name)}`);
  };
  compare(found, expected, '');
  return all;
};

const MAX_DIFFERENCES = 100;

const isStructure = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const own = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** A value on one line, cut short. */
export const excerpt = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
};

const MAX_TEXT = 80;
