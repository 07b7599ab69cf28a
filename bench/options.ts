import { parseArgs } from 'node:util';

type Option = number | string;
type Given<D extends Readonly<Record<string, Option>>> = {
  readonly [N in keyof D]: D[N] extends number ? number : string;
};

/** The options of a bench, `--NAME VALUE` each, of the type that its default has. Throws for others. */
export const optionsOf = <D extends Readonly<Record<string, Option>>>(
  options: readonly string[],
  defaults: D,
): Given<D> => {
  const types = Object.keys(defaults).map((name) => [name, { type: 'string' }] as const);
  const { values } = parseArgs({ args: [...options], options: Object.fromEntries(types) });
  const given = Object.entries(values).map(([name, value]) => [
    name,
    typeof defaults[name] === 'number' ? Number(value) : value,
  ]);
  return { ...defaults, ...Object.fromEntries(given) };
};
