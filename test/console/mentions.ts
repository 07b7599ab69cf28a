/** A tree of texts: its leaves are texts, and lists of them. */
export type Tree = Readonly<{ [name: string]: unknown }>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pathOf = (path: readonly string[]): string => path.join('/');

const leavesOf = (tree: Tree, above: readonly string[] = []): readonly string[] =>
  Object.entries(tree).flatMap(([name, value]) =>
    isTree(value) ? leavesOf(value, [...above, name]) : [pathOf([...above, name])],
  );

/** The texts of a tree that no source mentions, by their paths: `texts` is its name there. */
export const unmentioned = (tree: Tree, sources: readonly string[]): readonly string[] => {
  const used = sources.flatMap((source) => mentionsIn(source, tree));
  return leavesOf(tree).filter((leaf) => !used.some((path) => leaf === path || leaf.startsWith(`${path}/`)));
};

const ALIAS = /const (\w+)(?:: [^=;]+)? = (\w+)((?:\.\w+)*);/g;
const ALIASES = /const \{([^}]+)\} = (\w+)((?:\.\w+)*);/g;

/**
 * What a source mentions: the path of a text, or of a part of the tree that it uses as a whole, such as one
 * whose member is computed. It is followed through constants that stand for parts of the tree, by their names
 * alone.
 */
const mentionsIn = (source: string, tree: Tree): readonly string[] => {
  const aliases = new Map<string, readonly string[]>([['texts', []]]);
  const pathBelow = (root: string, chain: string): readonly string[] | null => {
    const above = aliases.get(root);
    return above ? [...above, ...chain.split('.').filter(Boolean)] : null;
  };
  for (const [, name = '', root = '', chain = ''] of source.matchAll(ALIAS)) {
    const path = pathBelow(root, chain);
    if (path && isTree(at(tree, path))) aliases.set(name, path);
  }
  for (const [, names = '', root = '', chain = ''] of source.matchAll(ALIASES)) {
    const path = pathBelow(root, chain);
    if (path)
      for (const part of names.split(',').filter((one) => one.trim() !== '')) {
        const [member = '', name = member] = part.trim().split(/: */);
        aliases.set(name, [...path, member]);
      }
  }
  const rest = source.replaceAll(ALIAS, (whole, name: string) => (aliases.has(name) ? '' : whole));
  return [...aliases].flatMap(([name, path]) =>
    chainsOf(rest.replaceAll(ALIASES, ''), name).map((chain) => pathOf(known(tree, [...path, ...chain]))),
  );
};

/**
 * The members that are named behind each mention of a constant; a property or an attribute of its name is
 * none.
 */
const chainsOf = (source: string, name: string): readonly (readonly string[])[] =>
  [
    ...source.matchAll(
      new RegExp(`(?<![\\w']|(?<!\\.)\\.)${name}\\b(?!\\w*(?:=[^=]|:|'))((?:\\??\\.\\w+)*)`, 'g'),
    ),
  ].map(([, chain = '']) => chain.split(/\??\./).filter(Boolean));

const at = (tree: Tree, path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isTree(found) ? found[name] : undefined), tree);

/** The part of a path that the tree has: `names/length` of a list ends at the list. */
const known = (tree: Tree, path: readonly string[]): readonly string[] => {
  const end = path.findIndex((_, n) => at(tree, path.slice(0, n + 1)) === undefined);
  return end < 0 ? path : path.slice(0, end);
};

/** The classes that the selectors of a style sheet name. */
export const styledClasses = (css: string): readonly string[] => {
  const selectors = css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{}]+)\{/g);
  const found = [...selectors].flatMap(([, selector = '']) => [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)]);
  return [...new Set(found.map(([, name = '']) => name))];
};

/** The classes that elements get by their attributes. */
export const namedClasses = (source: string): readonly string[] =>
  [...source.matchAll(/\bclass=("[^"]*"|\{)/g)].flatMap(({ index, 1: value = '' }) => {
    const text = value === '{' ? bracesAt(source, index + 'class='.length) : value;
    const shown = text.replaceAll(/[!=]== (['"]).*?\1/g, '');
    const literals = [...shown.matchAll(/(['"`])(.*?)\1/gs)].map(([, , literal = '']) => literal);
    return literals
      .flatMap((literal) => literal.replaceAll(/\S*\$\{[^}]*\}/g, '').split(/\s+/))
      .filter(Boolean);
  });

/** The text in the braces that open at a place of a source. */
const bracesAt = (source: string, from: number): string => {
  let depth = 0;
  for (let n = from; n < source.length; n += 1) {
    depth += source[n] === '{' ? 1 : source[n] === '}' ? -1 : 0;
    if (depth === 0) return source.slice(from, n + 1);
  }
  throw new Error(`braces at ${from} have no end`);
};

/** Whether a source has a text that is a class, or begins one that it computes. */
export const mayHaveClass = (source: string, name: string): boolean =>
  namedClasses(source).includes(name) ||
  new RegExp(`['"]${name}['"]|\\b${name.replace(/\d+$/, '')}\\$\\{`).test(source);
