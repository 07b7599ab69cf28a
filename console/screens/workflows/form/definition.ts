import { asRecord, type Unchecked } from '../faults.tsx';

/** What a new workflow begins with, in the form and in the JSON: all but its names and fields. */
export const START: Unchecked = {
  slug: '',
  name: '',
  upload: {
    minFiles: 1,
    maxFiles: 1,
    acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf'],
    fileLabels: [],
    maxFileSizeMb: 10,
  },
  outputSchema: [],
};

const pathOf = (pointer: string): readonly string[] => pointer.split('/').slice(1);

/** What a definition has at a JSON Pointer without escapes; undefined where there is nothing. */
export const valueAt = (definition: Unchecked, pointer: string): unknown =>
  pathOf(pointer).reduce<unknown>(
    (value, name) => (Array.isArray(value) ? value[Number(name)] : asRecord(value)[name]),
    definition,
  );

/** A list of texts at a pointer; of anything else, an empty one. */
export const textsAt = (definition: Unchecked, pointer: string): readonly string[] => {
  const value = valueAt(definition, pointer);
  return Array.isArray(value) ? value.map(String) : [];
};

/**
 * The definition with another value at a pointer, all else as it was; undefined removes the member, and the
 * objects that are empty without it.
 */
export const put = (definition: Unchecked, pointer: string, value: unknown): Unchecked =>
  asRecord(placed(definition, pathOf(pointer), value));

const placed = (of: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value;
  if (Array.isArray(of)) return of.map((one, at) => (String(at) === name ? placed(one, rest, value) : one));
  const members = asRecord(of);
  const next = placed(members[name], rest, value);
  const isGone = next === undefined || (value === undefined && isEmpty(next));
  if (!isGone) return { ...members, [name]: next };
  const { [name]: _, ...others } = members;
  return others;
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && !Array.isArray(value) && Object.keys(asRecord(value)).length === 0;
