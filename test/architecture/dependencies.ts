import { importsOf, type Source } from './rules.ts';

/**
 * What is installed, what docs/dependencies.md says, the project's files, and the commands of package.json.
 */
export type Dependencies = Readonly<{
  installed: readonly string[];
  documented: string;
  sources: readonly Source[];
  commands: string;
}>;

/** Packages that no import names, and what shows that each is needed. */
const UNIMPORTED: Readonly<Record<string, RegExp>> = {
  typescript: /\btsc\b/,
  '@biomejs/biome': /\bbiome\b/,
  'openapi-typescript': /\bopenapi-typescript\b/,
};

/** Every package that is installed and not documented, documented and not installed, or not used. */
export const dependencyFaults = ({
  installed,
  documented,
  sources,
  commands,
}: Dependencies): readonly string[] => {
  const named = namesIn(documented);
  const used = usedBy(sources);
  const isUsed = (name: string): boolean =>
    used.has(name) || UNIMPORTED[name]?.test(commands) === true || used.has(typed(name));
  return [
    ...installed.filter((name) => !named.has(name)).map((name) => `${name} is not in docs/dependencies.md`),
    ...[...named]
      .filter((name) => !installed.includes(name))
      .map((name) => `${name} is in docs/dependencies.md and not in package.json`),
    ...installed.filter((name) => !isUsed(name)).map((name) => `no file imports ${name}`),
  ];
};

/** The packages of the page: what stands as code in the first cell of its tables. */
const namesIn = (documented: string): ReadonlySet<string> =>
  new Set(
    documented
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
  );

/** Imported packages, and those of which a file is looked up by `resolve`. */
const usedBy = (sources: readonly Source[]): ReadonlySet<string> =>
  new Set([
    ...sources.flatMap(importsOf).map(({ to }) => to),
    ...sources.flatMap(({ text }) =>
      [...text.matchAll(/\.resolve\('((?:@[\w.-]+\/)?[\w.-]+)\//g)].map(([, name = '']) => name),
    ),
  ]);

/** The package that a package of types is for; `node:` stands for the platform's own. */
const typed = (name: string): string => name.replace(/^@types\/node$/, 'node:fs').replace(/^@types\//, '');
