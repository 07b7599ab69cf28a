import { readFileSync } from 'node:fs';
import { engineSettings, type Setting, serviceSettings } from '../../runtime/settings/table.ts';

/** The pages with generated tables, as they must be: by path, with the text around the tables as it stands there. */
export const pagesWithTables = (): Readonly<Record<string, string>> => ({
  'docs/settings.md': page('docs/settings.md', {
    service: settingRows(serviceSettings),
    engines: settingRows(engineSettings),
  }),
});

/** A table stands between `<!-- generated: NAME -->` and `<!-- end -->`. */
const page = (path: string, tables: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(tables).reduce(
    (text, [name, rows]) => {
      const [before, rest] = text.split(`<!-- generated: ${name} -->\n`);
      const after = rest?.slice(rest.indexOf('<!-- end -->'));
      return `${before}<!-- generated: ${name} -->\n\n${rows.join('\n')}\n\n${after}`;
    },
    readFileSync(path, 'utf8'),
  );

const settingRows = (settings: Readonly<Record<string, Setting<unknown>>>): readonly string[] => [
  '| setting | default | |',
  '|---|---|---|',
  ...Object.entries(settings).map(
    ([name, { unset, about, secret }]) =>
      `| \`${name}\` | ${unset} | ${secret ? '**Secret.** ' : ''}${about} |`,
  ),
];
