/** A port's file and what it gives out: its exported names, and the members of its types. */
export type Port = Readonly<{ path: string; names: ReadonlySet<string> }>;

type Source = Readonly<{ path: string; text: string }>;

/** The interfaces outside of `stores` that the rest of the service is built on, and the event log. */
const OTHER_PORTS: ReadonlySet<string> = new Set([
  'kernel/event.ts',
  'kernel/decider.ts',
  'stores/events/log.ts',
  'projections/engine/projection.ts',
  'reactors/engine/reactor.ts',
]);

/** Every port among the sources, with its names. */
export const portsIn = (sources: readonly Source[]): readonly Port[] =>
  sources
    .filter(({ path }) => /^stores\/.*\/port\.ts$/.test(path) || OTHER_PORTS.has(path))
    .map(({ path, text }) => ({ path, names: namesIn(text) }));

const namesIn = (text: string): ReadonlySet<string> => {
  const declarations = withoutComments(text).split(/^(?=export |type |interface |const )/m);
  return new Set(
    declarations.flatMap((declaration) => [...exportedBy(declaration), ...membersOf(declaration)]),
  );
};

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

const exportedBy = (declaration: string): readonly string[] =>
  [...declaration.matchAll(/^export (?:type|interface|const|class) (\w+)/g)].map(([, name = '']) => name);

/** The members of a type, also of the types within it; parameters are none. */
const membersOf = (declaration: string): readonly string[] =>
  /^(export )?(type|interface) /.test(declaration)
    ? [...withoutParameters(declaration).matchAll(MEMBER)].map(([, name = '']) => name)
    : [];

const MEMBER = /([$\w]+)\??(?:<[\w, ]*>)?[§:]/g;
const INNERMOST = /(?<=([\w>?])?)\(([^()]*)\)(?=( =>)?)/g;

/** Parameters become `§`; what is only grouped stays. */
const withoutParameters = (declaration: string): string => {
  const shorter = declaration.replace(INNERMOST, (_, called, inner: string, arrow) =>
    called || arrow ? '§' : `[${inner}]`,
  );
  return shorter === declaration ? declaration : withoutParameters(shorter);
};

/** What the glossary lists under a port's heading: the code in the first cells of that section's table. */
export const listedNames = (page: string, path: string): ReadonlySet<string> => {
  const [, section = ''] = page.split(`\n### \`${path}\`\n`);
  const [own = ''] = section.split(/\n##/);
  const cells = own.split('\n').map((line) => (line.startsWith('|') ? (line.split('|')[1] ?? '') : ''));
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)));
};
