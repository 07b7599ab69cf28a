import { type Command, Option } from './commandLine.ts';

/** Its flags, what it restricts the list to, and how its value is read. */
type FilterOption = readonly [flags: string, about: string, read?: (text: string) => string];

/**
 * An option for each filter that the API has of a list, by its name there; null where the command has none.
 */
export type FilterOptions<Filters> = Readonly<Record<keyof Filters, FilterOption | null>>;

type Chosen<Options> = {
  -readonly [Name in keyof Options as Options[Name] extends null
    ? never
    : Name]?: Options[Name] extends readonly [string, string, (text: string) => infer Value] ? Value : string;
};

/** The command with these options. */
export const withFilters = (command: Command, options: FilterOptions<object>): Command => {
  for (const option of optionsOf(options)) command.addOption(option[1]);
  return command;
};

/** The filters that the options of a command say, by their names in the API. */
export const filtersOf = <Options extends FilterOptions<object>>(
  options: Options,
  given: Readonly<Record<string, unknown>>,
): Chosen<Options> =>
  Object.fromEntries(
    optionsOf(options).flatMap(([name, option]) => {
      const value = given[option.attributeName()];
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Chosen<Options>;

const optionsOf = (options: FilterOptions<object>): readonly (readonly [string, Option])[] =>
  Object.entries<FilterOption | null>(options).flatMap(([name, one]) => {
    if (one === null) return [];
    const [flags, about, read = String] = one;
    return [[name, new Option(flags, about).argParser(read)] as const];
  });
