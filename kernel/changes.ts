import { escapePointer } from './fault.ts';

/** A member that differs between two states: its JSON Pointer and both values, null for none. */
export type Change = Readonly<{ pointer: string; from: unknown; to: unknown }>;

/** The differences of two JSON values, by member; lists are compared whole. Absent equals null. */
export const changesBetween = (from: unknown, to: unknown, pointer = ''): readonly Change[] => {
  if (isObject(from) && isObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...names].flatMap((name) =>
      changesBetween(own(from, name), own(to, name), `${pointer}/${escapePointer(name)}`),
    );
  }
  const change = { pointer, from: from ?? null, to: to ?? null };
  return JSON.stringify(change.from) === JSON.stringify(change.to) ? [] : [change];
};

/** A member may be called as what every object inherits: `constructor`. */
export const own = (of: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(of, name) ? of[name] : undefined;

/** Whether a JSON value is an object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
