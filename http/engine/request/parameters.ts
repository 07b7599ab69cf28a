import type { Fault } from '../../../kernel/fault.ts';
import { malformed, Problem } from '../problems/problem.ts';
import type { Endpoint } from '../route.ts';

type Read = Readonly<{
  parameters: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  unknown: boolean;
}>;

/**
 * The parameters of a path and a query, read. Throws 400 for a malformed or repeated one; unknown query parameters are ignored. `unknown` says
 * that an identifier has a form that none of ours has: a 404, once the body has been read.
 */
export const readParameters = (
  endpoint: Endpoint,
  path: Readonly<Record<string, string>>,
  querystring: string,
): Read => {
  const faults: Fault[] = [];
  let unknown = false;
  const parameters: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(endpoint.parameters ?? {})) {
    parameters[name] = parameter.read(path[name] ?? null);
    if (parameters[name] !== undefined) continue;
    if (parameter.malformed === 404) unknown = true;
    else
      faults.push({
        pointer: `/path/${name}`,
        detail: `${name} in the path is not valid: ${parameter.description}`,
      });
  }
  const query = readQuery(endpoint, querystring, faults);
  if (faults.length > 0) throw malformed(faults);
  return { parameters, query, unknown };
};

const readQuery = (endpoint: Endpoint, querystring: string, faults: Fault[]): Read['query'] => {
  const given = new URLSearchParams(querystring);
  const query: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(endpoint.query ?? {})) {
    const values = given.getAll(name);
    query[name] = parameter.read(values[0] ?? null);
    if (values.length > 1)
      faults.push({ pointer: `/query/${name}`, detail: `${name} is given more than once` });
    else if (query[name] === undefined)
      faults.push({ pointer: `/query/${name}`, detail: `${name} is not valid: ${parameter.description}` });
  }
  return query;
};

/** What every handler says of a resource that is not there, or that the caller may not see. */
export const notFound = (): Problem => new Problem('not-found');
