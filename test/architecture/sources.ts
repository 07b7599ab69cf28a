import { readdirSync, readFileSync } from 'node:fs';
import type { Source } from './rules.ts';

/**
 * Every source of the project, read from the project's folder: also the console's, which is compiled by
 * itself.
 */
export const sources = (): readonly Source[] => {
  const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { include: readonly string[] };
  return readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && [...include, 'console'].includes(entry.name))
    .flatMap(({ name }) =>
      readdirSync(name, { recursive: true, encoding: 'utf8' })
        .filter((file) => /^(?!.*node_modules\/|dist\/).*\.tsx?$/.test(file))
        .map((file) => ({ path: `${name}/${file}`, text: readFileSync(`${name}/${file}`, 'utf8') })),
    );
};
