import type { Tree } from './mentions.ts';

type Path = readonly string[];
/** A text of the tree: what its `{name}`s are, in all its forms. */
type Text = Readonly<{ path: string; names: ReadonlySet<string>; isPlural: boolean }>;

const CHAIN = /(?<![\w.'"])([a-z]\w*)((?:\??\.\w+|\[[^\]]*\])*)/g;
const ALIAS = /const (\w+|\{[^}]+\})(?:: [^=;]+)? = (\w+)((?:\.\w+|\[\w+\])*);/g;
const ANY = '*';

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const textsOf = (tree: Tree, above: Path = []): readonly Text[] =>
  Object.entries(tree).flatMap(([name, value]) => {
    const path = [...above, name];
    if (typeof value === 'string')
      return [{ path: path.join('/'), names: new Set(namesIn(value)), isPlural: false }];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const forms = Object.values(value);
    if (!('other' in value && 'one' in value)) return textsOf(value as Tree, path);
    return [{ path: path.join('/'), names: new Set(['count', ...namesIn(forms.join())]), isPlural: true }];
  });

/** The constants of a source that stand for parts of the tree, with what each may stand for. */
const aliasesIn = (source: string): ReadonlyMap<string, readonly Path[]> => {
  const found = new Map<string, readonly Path[]>([['texts', [[]]]]);
  const add = (name: string, paths: readonly Path[]): unknown =>
    found.set(name, [...(found.get(name) ?? []), ...paths]);
  for (const [, names = '', root = '', chain = ''] of source.matchAll(ALIAS)) {
    const paths = below(found, root, chain);
    if (!names.startsWith('{')) add(names, paths);
    else
      for (const part of names.slice(1, -1).split(',')) {
        const [member = '', name = member] = part.trim().split(/: */);
        if (member)
          add(
            name,
            paths.map((path) => [...path, member]),
          );
      }
  }
  return found;
};

const below = (
  aliases: ReadonlyMap<string, readonly Path[]>,
  root: string,
  chain: string,
): readonly Path[] => {
  const members = [...chain.matchAll(/\.(\w+)|\[[^\]]*\]/g)].map(([, name]) => name ?? ANY);
  return (aliases.get(root) ?? []).map((path) => [...path, ...members]);
};

const isAt = (path: Path, text: Text): boolean => {
  const own = text.path.split('/');
  return own.length === path.length && path.every((part, n) => part === ANY || part === own[n]);
};

/** The arguments of a call whose parenthesis opens before `from`, and where it ends. */
const argumentsAt = (source: string, from: number): Readonly<{ list: readonly string[]; end: number }> => {
  const list = [''];
  let depth = 0;
  for (let n = from; n < source.length; n += 1) {
    const sign = source[n] ?? '';
    if (')]}'.includes(sign)) depth -= 1;
    if (depth < 0) return { list: list.map((one) => one.trim()).filter(Boolean), end: n };
    if ('([{'.includes(sign)) depth += 1;
    if (sign === ',' && depth === 0) list.push('');
    else list.push(`${list.pop()}${sign}`);
  }
  throw new Error(`the call at ${from} has no end`);
};

const givenBy = (object: string): readonly string[] =>
  argumentsAt(`${object.slice(1, -1)})`, 0).list.map((part) => /^\w+/.exec(part)?.[0] ?? part);

/**
 * Texts whose `{name}`s a source does not give, names that no text has, and texts that are shown unfilled.
 */
export const misfilled = (tree: Tree, sources: readonly string[]): readonly string[] => {
  const texts = textsOf(tree).filter(({ names }) => names.size > 0);
  const filled = new Set<string>();
  const faults = sources.flatMap((source) => {
    const aliases = aliasesIn(source);
    const namedIn = (code: string): readonly Text[] =>
      [...code.matchAll(CHAIN)].flatMap(([, root = '', chain = '']) =>
        texts.filter((text) => below(aliases, root, chain).some((path) => isAt(path, text))),
      );
    const calls = [...source.matchAll(/\bsay\(/g)].map(({ index, 0: { length } }) => index + length);
    let rest = source;
    const found = calls.flatMap((from) => {
      const { list, end } = argumentsAt(source, from);
      const [first = '', object = ''] = list;
      rest = rest.replace(source.slice(from, end), '');
      const said = namedIn(first);
      for (const { path } of said) filled.add(path);
      return faultsOf(first, said, givenBy(object));
    });
    const chains = rest.replaceAll(ALIAS, '').match(/\b\w+(?:\.\w+)+/g) ?? [];
    return [
      ...found,
      ...chains.flatMap((code) => namedIn(code).map(({ path }) => `${path} is shown unfilled`)),
    ];
  });
  return [...faults, ...texts.flatMap(({ path }) => (filled.has(path) ? [] : [`${path} is filled by none`]))];
};

const faultsOf = (code: string, texts: readonly Text[], given: readonly string[]): readonly string[] => [
  ...(texts.length === 0 ? [`say(${code}) fills no text`] : []),
  ...texts.flatMap(({ path, names }) =>
    [...names].flatMap((name) => (given.includes(name) ? [] : [`${path} is not given {${name}}`])),
  ),
  ...given.flatMap((name) =>
    texts.some(({ names }) => names.has(name)) ? [] : [`say(${code}) is given ${name}, which no text has`],
  ),
];
