import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rulesOf } from './runner/contractTable.ts';

/** A text file of the project, by its path from the project's folder. */
export type Text = Readonly<{ path: string; text: string }>;

/** What cites documents that a reader of the repository can't open. */
const ELSEWHERE = [
  /\b(?:contract|decisions?|design|goals?|spec(?:ification)?),? (?:the )?sections? \d/gi,
  /\((?:sections? \d[^)]*|[^()]*[,;] sections? \d[^)]*)\)/g,
  /\bgoals? [A-Z]\d/g,
  /\(issue of [^)]*\)/g,
];
/** Whatever stands alone in parentheses in the form of an identifier: the subject may be misspelt. */
const IN_PARENTHESES = /(?<=\()[a-z]+(?:-[a-z]+)*-\d+(?=\)|[,;] [a-z]+(?:-[a-z]+)*-\d)/g;
/** Standards have sections too. */
const STANDARD = /\b(?:RFC|ISO|FIPS) [\d-]+/;

/** The citations of a file that lead nowhere, each with its line. `page` is docs/contract.md. */
export const deadCitations = (
  { path, text }: Text,
  page: string,
  exists: (path: string) => boolean = existsSync,
): readonly string[] => {
  const rules = rulesOf(page);
  const subjects = [...new Set(rules.map((id) => id.replace(/-\d+$/, '')))];
  const cited = new RegExp(`(?<![\\w/.-])(?:${subjects.join('|')})-\\d+(?![\\w-])`, 'g');
  const faultsOf = (line: string): readonly string[] => [
    ...ELSEWHERE.flatMap((phrase) => found(line, phrase)).filter(() => !STANDARD.test(line)),
    ...[...found(line, cited), ...found(line, IN_PARENTHESES)].filter((id) => !rules.includes(id)),
    ...found(line, /docs\/decisions\/\d{4}[\w-]*(?:\.md)?/g).filter((file) => !exists(file)),
    ...(path.endsWith('.md') ? links(line) : []).filter((link) => !leads(path, link, rules, exists)),
  ];
  return text
    .split('\n')
    .flatMap((line, index) => faultsOf(line).map((fault) => `${path}:${index + 1}: ${fault}`));
};

const found = (line: string, pattern: RegExp): readonly string[] =>
  [...line.matchAll(pattern)].map(([match]) => match);

/** The targets of a line's Markdown links that are files of the project. */
const links = (line: string): readonly string[] =>
  [...line.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, target = '']) =>
    /^(?:\w+:|#)/.test(target) ? [] : [target],
  );

const leads = (
  path: string,
  link: string,
  rules: readonly string[],
  exists: (path: string) => boolean,
): boolean => {
  const [file = '', anchor = ''] = link.split('#');
  const isRule = file.endsWith('contract.md') && /-\d+$/.test(anchor);
  return exists(join(dirname(path), file)) && (!isRule || rules.includes(anchor));
};
