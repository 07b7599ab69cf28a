import { fieldTypes } from '../../fieldTypes/all.ts';
import type { OutputField } from '../workflow.ts';

/**
 * The values of a business key's fields as one normalised text: names and values, in the order of the names.
 * Null when a part is missing, since such a key matches nothing (fraud-4).
 */
export const businessKeyOf = (
  fields: readonly OutputField[],
  businessKey: readonly string[],
  data: Readonly<Record<string, unknown>>,
): string | null => {
  const parts = [...businessKey].sort().map((name) => {
    const type = fields.find((field) => field.name === name)?.type;
    const value = Object.hasOwn(data, name) ? data[name] : null;
    return [name, type ? fieldTypes[type].normalise(value) : null] as const;
  });
  return parts.length === 0 || parts.some(([, value]) => value === null) ? null : JSON.stringify(parts);
};
