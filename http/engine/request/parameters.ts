import type { Fault } from '../../../kernel/fault.ts';
import type { Parameter } from '../../../schemas/parameters.ts';
import { malformed } from '../problems/problem.ts';
import type { Endpoint } from '../route.ts';

type Values = Readonly<Record<string, unknown>>;

/** `isUnknown`: no identifier has the form of a part of the path, which is a 404 after the body was read. */
type Read = Readonly<{ parameters: Values; query: Values; isUnknown: boolean }>;

/** The parameters of a path and a query. Throws 400 for a malformed or repeated one; ignores unknown ones. */
export const readParameters = (
  { parameters: inPath = {}, query: inQuery = {} }: Endpoint,
  path: Readonly<Record<string, string>>,
  querystring: string,
): Read => {
  const parameters = valuesOf(inPath, (name) => path[name] ?? null);
  const search = querystring === '' ? NOTHING : new URLSearchParams(querystring);
  const query = valuesOf(inQuery, (name) => search.get(name));
  const invalid = Object.entries(inPath).filter(([name]) => parameters[name] === undefined);
  const faults: readonly Fault[] = [
    ...invalid.flatMap(([name, { malformed: status, description }]) =>
      status === 404
        ? []
        : [{ pointer: `/path/${name}`, detail: `${name} in the path is not valid: ${description}` }],
    ),
    ...Object.entries(inQuery).flatMap(([name, { description }]) => {
      const pointer = `/query/${name}`;
      if (search.getAll(name).length > 1) return [{ pointer, detail: `${name} is given more than once` }];
      return query[name] === undefined ? [{ pointer, detail: `${name} is not valid: ${description}` }] : [];
    }),
  ];
  if (faults.length > 0) throw malformed(faults);
  return { parameters, query, isUnknown: invalid.length > 0 };
};

const NOTHING = new URLSearchParams();

const valuesOf = (
  parameters: Readonly<Record<string, Parameter<unknown>>>,
  textOf: (name: string) => string | null,
): Values => {
  // Filled member by member: this is done for every request, and entries would take four times as long.
  const values: Record<string, unknown> = {};
  for (const name in parameters) values[name] = parameters[name]?.read(textOf(name));
  return values;
};
