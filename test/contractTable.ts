/** A row of docs/contract.md: a rule, and the tests that prove it (`suite › title`). */
export type Row = Readonly<{ line: number; rule: string; tests: readonly string[] }>;

const CELLS = /^\| (.+?) \| (.*?) ?\|$/;
const NAMED = /`([^`]+ › [^`]+)`/g;

/** The rows of the page's tables, with the number of their line, from 1. */
export const rowsOf = (page: string): readonly Row[] =>
  page.split('\n').flatMap((text, index) => {
    const [, rule = '', proof = ''] = CELLS.exec(text) ?? [];
    if (rule === '' || rule === 'rule' || /^-+$/.test(rule)) return [];
    return [{ line: index + 1, rule, tests: [...proof.matchAll(NAMED)].map(([, name = '']) => name) }];
  });

/** What is wrong with the page: rules without a test, and tests that did not pass in this run. */
export const contractFaults = (page: string, passed: readonly string[]): readonly string[] => {
  const ran = (name: string): boolean =>
    name.endsWith('*') ? passed.some((one) => one.startsWith(name.slice(0, -1))) : passed.includes(name);
  return rowsOf(page).flatMap(({ line, rule, tests }) => {
    const at = `docs/contract.md, line ${line}`;
    if (tests.length === 0) return [`${at}: no test proves “${rule}”`];
    return tests.filter((name) => !ran(name)).map((name) => `${at}: this test did not run and pass: ${name}`);
  });
};
