import type { Fault } from '../../../kernel/fault.ts';
import type { Parameter } from '../../../schemas/parameters.ts';
import { malformed } from '../problems/problem.ts';
import type { Endpoint } from '../route.ts';

type Values = Readonly<Record<string, unknown>>;

/** `isUnknown`: no identifier has the form of a part of the path, which is a 404 after the body was read. */
type Read = Readonly<{ parameters: Values; query: Values; isUnknown: boolean }>;

/**
 * Reads the parameters of a path and a query. Throws 400 for a malformed or repeated one; ignores unknown
 * ones.
 */
export const parameterReader = ({ parameters = {}, query = {} }: Endpoint) => {
  const inPath = Object.entries(parameters);
  const inQuery = Object.entries(query);
  // What a request without a query gets, which most are.
  const none = valuesOf(inQuery, () => null);
  return (path: Readonly<Record<string, string>>, querystring: string): Read => {
    const parameters = valuesOf(inPath, (name) => path[name] ?? null);
    const isUnknown = inPath.some(([name]) => parameters[name] === undefined);
    if (querystring === '' && !isUnknown) return { parameters, query: none, isUnknown };
    const search = new URLSearchParams(querystring);
    const query = valuesOf(inQuery, (name) => search.get(name));
    const faults = [
      ...inPath.filter(([name]) => parameters[name] === undefined).flatMap(faultInPath),
      ...inQuery.flatMap(([name, { description, fault }]) => {
        const pointer = `/query/${name}`;
        if (search.getAll(name).length > 1) return [{ pointer, detail: `${name} is given more than once` }];
        if (query[name] !== undefined) return [];
        const why = fault?.(search.get(name) ?? '') ?? description;
        return [{ pointer, detail: `${name} is not valid: ${why}` }];
      }),
    ];
    if (faults.length > 0) throw malformed(faults);
    return { parameters, query, isUnknown };
  };
};

type Named = readonly [name: string, parameter: Parameter<unknown>];

const faultInPath = ([name, { malformed: status, description }]: Named): readonly Fault[] =>
  status === 404
    ? []
    : [{ pointer: `/path/${name}`, detail: `${name} in the path is not valid: ${description}` }];

const valuesOf = (named: readonly Named[], textOf: (name: string) => string | null): Values => {
  const values: Record<string, unknown> = {};
  for (const [name, { read }] of named) values[name] = read(textOf(name));
  return values;
};
