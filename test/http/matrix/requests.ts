import type { Endpoint } from '../../../http/engine/route.ts';
import type { Reply } from '../../support/client.ts';

/** The path of an endpoint with these parameters. */
export const pathOf = ({ path }: Endpoint, named: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = named[name];
    if (value === undefined) throw new Error(`the row does not say the ${name} of ${path}`);
    return encodeURIComponent(value);
  });

/** Whether requests of this method have a body. */
export const hasBody = (method: string): boolean => method === 'POST' || method === 'PUT';

/** A call of an endpoint that names nothing that is there. */
export const somewhere = (endpoint: Endpoint): readonly [string, string] => [
  endpoint.method,
  endpoint.path.replaceAll(/\{\w+\}/g, '1'),
];

/** The same parameters with one of them of the same form and of nobody, each in turn. */
export const unknownOnes = (
  named: Readonly<Record<string, string>>,
): readonly Readonly<Record<string, string>>[] =>
  Object.entries(named).map(([name, value]) => ({ ...named, [name]: ofNobody(value) }));

/** The same parameters with an identifier of a form that none has, each in turn. */
export const oddOnes = ({ parameters = {} }: Endpoint, named: Readonly<Record<string, string>>) =>
  Object.keys(named)
    .filter((name) => parameters[name]?.malformed === 404)
    .map((name) => ({ ...named, [name]: '%00 or 1=1' }));

const ofNobody = (value: string): string => {
  const [, prefix = '', rest = ''] = /^([a-z]+_)?(.*)$/.exec(value) ?? [];
  return prefix + rest.replaceAll(/[a-z]/g, 'a').replaceAll(/\d/g, '9');
};

/**
 * What an answer tells, but for what differs between any two: the request's id, its path, the time, what is
 * left of a limit.
 */
export const told = ({ status, headers, body }: Reply) => {
  const { requestId: _, instance: __, ...rest } = body;
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name));
  return { status, body: rest, headers: Object.fromEntries(kept) };
};
