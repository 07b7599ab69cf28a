import type { OpenApi, ParameterObject } from '../../openapi/types.ts';
import { operationsOf } from '../operations.ts';

/** A value of an example, and the name of its member. */
type Named = Readonly<{ name: string; value: string | number }>;

/** How many items a page of a sample has. */
const LIMIT = 20;

/**
 * Gives a value for a parameter: its own example, else what a member of that name has in the examples of
 * bodies and answers, else an identifier of the same kind from there, else its name in capitals.
 */
export const exampleValues = (document: OpenApi): ((parameter: ParameterObject) => unknown) => {
  const known = operationsOf(document).flatMap(({ operation }) => [
    ...namedIn(operation.requestBody),
    ...namedIn(operation.responses),
  ]);
  return ({ name, schema, example }) => {
    const own = example ?? (schema.examples as readonly unknown[] | undefined)?.[0];
    if (own !== undefined) return own;
    if (name === 'limit') return LIMIT;
    const pattern = new RegExp(String(schema.pattern ?? ''), 'u');
    const fits = ({ value }: Named): boolean =>
      schema.type === 'integer' ? typeof value === 'number' : pattern.test(String(value));
    const found = known.find((one) => one.name === name && fits(one));
    const alike = IDENTIFIER.test(pattern.source) ? known.find(fits) : undefined;
    return found?.value ?? alike?.value ?? (schema.type === 'integer' ? 1 : placeholder(name));
  };
};

/** The pattern of identifiers that say what they are of. */
const IDENTIFIER = /^\^[a-z]+_/;

const placeholder = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const namedIn = (value: unknown, name = ''): readonly Named[] => {
  if (typeof value === 'string' || typeof value === 'number') return [{ name, value }];
  if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, name));
  return value instanceof Object ? Object.entries(value).flatMap(([key, one]) => namedIn(one, key)) : [];
};
