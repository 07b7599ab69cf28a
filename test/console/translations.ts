import type { Tree } from './mentions.ts';

type Forms = Readonly<Record<string, string>>;
/** A text by its path: its one form, or those of a plural by their categories. */
type Text = Readonly<{ path: string; forms: Forms; isPlural: boolean }>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

const textsOf = (tree: Tree, above = ''): readonly Text[] =>
  Object.entries(tree).flatMap(([name, value]) => {
    const path = `${above}/${name}`;
    if (!isTree(value)) return [{ path, forms: { other: String(value) }, isPlural: false }];
    const isPlural = 'other' in value && Object.keys(value).every((one) => CATEGORIES.has(one));
    return isPlural ? [{ path, forms: value as Forms, isPlural }] : textsOf(value, path);
  });

const CATEGORIES: ReadonlySet<string> = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

/** Counts up to those that a screen has; some languages have a category that begins with a million. */
const COUNTS = [...Array(1_001).keys(), 10_000, 99_999, 100_000, 999_999];

const namesIn = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

/** Three words or more are the same in two languages only where nobody has translated them. */
const isUntranslated = (text: string, original: string): boolean =>
  text === original && (text.replaceAll(/\{\w+\}/g, '').match(/\p{L}{3,}/gu) ?? []).length > 2;

/** What is wrong with a translation, beside the original, for the plurals of its language. */
export const translationFaults = (original: Tree, translation: Tree, language: string): readonly string[] => {
  const rules = new Intl.PluralRules(language);
  const needed = new Set(['other', ...COUNTS.map((count) => rules.select(count))]);
  const known = new Set<string>(rules.resolvedOptions().pluralCategories);
  const theirs = new Map(textsOf(translation).map((text) => [text.path, text]));
  const faults = textsOf(original).flatMap(({ path, forms, isPlural }) => {
    const own = theirs.get(path);
    theirs.delete(path);
    if (!own) return [`${path} is missing`];
    if (own.isPlural !== isPlural) return [`${path} is ${isPlural ? 'no' : 'a'} plural`];
    const categories = isPlural ? [...needed] : ['other'];
    const names = namesIn(Object.values(forms).join());
    return [
      ...categories.filter((one) => !own.forms[one]?.trim()).map((one) => `${path} has no form for ${one}`),
      ...Object.keys(own.forms).flatMap((one) =>
        known.has(one) ? [] : [`${path} needs no form for ${one}`],
      ),
      ...Object.entries(own.forms).flatMap(([category, text]) => [
        ...(isUntranslated(text, forms[category] ?? '') ? [`${path} is not translated`] : []),
        ...wrongNames(namesIn(text), names, category).map((name) => `${path} (${category}): ${name}`),
      ]),
    ];
  });
  return [...faults, ...[...theirs.keys()].map((path) => `${path} is left over`)];
};

/** The names that a form lacks, or has without the original; only `other` must have them all. */
const wrongNames = (
  own: readonly string[],
  names: readonly string[],
  category: string,
): readonly string[] => [
  ...own.filter((name) => !names.includes(name)).map((name) => `${name} is not in the original`),
  ...names
    .filter((name) => !own.includes(name) && (category === 'other' || name !== '{count}'))
    .map((name) => `${name} is missing`),
];
