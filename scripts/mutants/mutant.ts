import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * A breakage of a rule of docs/contract.md: the text `find`, which occurs once in the product file `file`,
 * becomes `put`. It is part of one line and has no types: the compiled file has it as the source does.
 */
export type Mutant = Readonly<{ rule: string; file: string; find: string; put: string }>;

type Row = readonly [rule: string, find: string, put: string];

/** The compiled form of a product file. */
export const compiled = (file: string): string => `dist/${file.replace(/\.ts$/, '.js')}`;

/** Why a mutant can't be made, null when it can: its text must occur once in source and compiled file. */
export const whyNot = ({ file, find }: Mutant): string | null => {
  for (const path of [file, compiled(file)]) {
    const times = existsSync(path) ? timesIn(path, find) : 0;
    if (times === 1) continue;
    const elsewhere = sources().filter((source) => timesIn(source, find) > 0);
    const hint = times > 1 || elsewhere.length === 0 ? '' : `, but in ${elsewhere.join(', ')}`;
    return `${JSON.stringify(find)} occurs ${times} times in ${path}${hint}`;
  }
  return null;
};

const timesIn = (path: string, text: string): number => readFileSync(path, 'utf8').split(text).length - 1;

const OTHERS = ['node_modules', 'dist', 'test', 'scripts'];

/** The sources of the product. */
const sources = (): readonly string[] =>
  readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !OTHERS.includes(entry.name))
    .flatMap(({ name }) =>
      readdirSync(name, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => `${name}/${path}`),
    );

/** The mutants of one file. */
export const mutantsOf = (file: string, rows: readonly Row[]): readonly Mutant[] =>
  rows.map(([rule, find, put]) => ({ rule, file, find, put }));
