/**
 * What a row of the README's table lists: the pages for one purpose, by their names without folder and
 * ending.
 */
export type Row = Readonly<{ purpose: string; names: readonly string[] }>;

/** Its pages are for those who have the source. */
const OF_THE_SOURCE = 'change the code';

/** The pages that are served, from the table of the README: it is the one list of them. */
export const contentsOf = (readme: string): readonly Row[] =>
  [...readme.matchAll(/^\| ([^|]+) \| (.*) \|$/gm)]
    .map(([, purpose = '', cell = '']) => ({
      purpose: `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}`,
      names: [...cell.matchAll(/\]\(docs\/([\w-]+)\.md\)/g)].map(([, name = '']) => name),
    }))
    .filter(({ purpose, names }) => purpose.toLowerCase() !== OF_THE_SOURCE && names.length > 0);
