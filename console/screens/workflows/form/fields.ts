import { asRecord, type Unchecked } from '../faults.tsx';
import { put, textsAt, valueAt } from './definition.ts';

/** Where a definition has its fields, and which of them name a submission in lists. */
export const FIELDS = '/outputSchema';
export const LIST = '/list';
const KEY = '/processing/fraud/businessKey';

/** The fields of a definition as they are typed. */
export const fieldsOf = (definition: Unchecked): readonly Unchecked[] => {
  const fields = valueAt(definition, FIELDS);
  return Array.isArray(fields) ? fields.map(asRecord) : [];
};

/** The name of a field; empty where it has none yet. */
export const nameOf = ({ name }: Unchecked): string => (typeof name === 'string' ? name : '');

/** The definition with a new field at its end. */
export const addField = (definition: Unchecked): Unchecked =>
  put(definition, FIELDS, [...fieldsOf(definition), { name: '', type: 'string', required: false }]);

/** The definition with a field at another place. */
export const moveField = (definition: Unchecked, from: number, to: number): Unchecked => {
  const fields = fieldsOf(definition);
  const others = fields.toSpliced(from, 1);
  return put(definition, FIELDS, others.toSpliced(to, 0, ...fields.slice(from, from + 1)));
};

/** The definition without a field, also where it names it. */
export const removeField = (definition: Unchecked, index: number): Unchecked => {
  const fields = fieldsOf(definition);
  const without = put(definition, FIELDS, fields.toSpliced(index, 1));
  const name = nameOf(fields[index] ?? {});
  return renamed(without, name, []);
};

/** The definition with the new name of a field, which was `before`, also where it names the field. */
export const renameField = (definition: Unchecked, index: number, before: string): Unchecked => {
  const name = nameOf(fieldsOf(definition)[index] ?? {});
  const isTaken = fieldsOf(definition).some((field, other) => other !== index && nameOf(field) === name);
  return isTaken || name === before ? definition : renamed(definition, before, [name]);
};

/** Changes the names of a field elsewhere, unless another field has that name too. */
const renamed = (definition: Unchecked, before: string, now: readonly string[]): Unchecked =>
  fieldsOf(definition).some((field) => nameOf(field) === before)
    ? definition
    : [LIST, KEY].reduce((changed, pointer) => {
        const names = textsAt(changed, pointer);
        if (!names.includes(before)) return changed;
        const others = [...new Set(names.flatMap((one) => (one === before ? now : one)))];
        return put(changed, pointer, pointer === LIST ? listed(others) : others);
      }, definition);

/** A list of none is none: then the service chooses. */
const listed = (names: readonly string[]): readonly string[] | undefined =>
  names.length > 0 ? names : undefined;

/** The definition with a field among those that name a submission, or no longer. */
export const toggleListed = (definition: Unchecked, name: string): Unchecked => {
  const names = textsAt(definition, LIST);
  const others = names.filter((one) => one !== name);
  return put(definition, LIST, listed(names.includes(name) ? others : [...names, name]));
};
