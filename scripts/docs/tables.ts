import { readFileSync } from 'node:fs';
import { aggregates } from '../../domain/aggregates.ts';
import { type Permission, permissions } from '../../domain/permissions.ts';
import type { EventDefinition } from '../../kernel/eventDefinition.ts';
import { roles } from '../../kernel/scope.ts';
import { engineSettings } from '../../runtime/settings/engines.ts';
import type { Setting } from '../../runtime/settings/setting.ts';
import { serviceSettings } from '../../runtime/settings/table.ts';
import { type Metric, processMetrics, storeGauges } from '../../telemetry/metrics/table.ts';
import { fieldsOf, membersOf } from './fields.ts';

/**
 * The pages with generated tables, as they must be: by path, with the current text around the tables
 * there.
 */
export const pagesWithTables = (): Readonly<Record<string, string>> => ({
  'docs/settings.md': page('docs/settings.md', {
    service: settingRows(serviceSettings),
    engines: settingRows(engineSettings),
  }),
  'docs/operating.md': page('docs/operating.md', {
    metrics: metricRows({ ...processMetrics, ...storeGauges }),
  }),
  'docs/people.md': page('docs/people.md', { permissions: permissionRows() }),
  'docs/privacy.md': page('docs/privacy.md', { private: privateRows() }),
});

/** The sealed members of each event; those below an object or a list go with it. */
const privateRows = (): readonly string[] => [
  '| stream | event | sealed members |',
  '|---|---|---|',
  ...aggregates.flatMap(({ category, events }) =>
    Object.entries<EventDefinition>(events).flatMap(([type, { data }]) => {
      const members = sealedMembers(data);
      return members.length === 0 ? [] : [`| \`${category}…\` | ${type} | ${members.join(', ')} |`];
    }),
  ),
];

const sealedMembers = (data: EventDefinition['data']): readonly string[] => {
  const part = membersOf(data).get('private');
  const fields = part ? fieldsOf('private', part) : [];
  return fields
    .map(({ path }) => path.slice('private.'.length))
    .filter((path) => !/[.[]/.test(path))
    .map((name) => `\`${name}\``);
};

/** Who has a permission, in the order of the columns. */
const holders = ['API keys', ...roles] as const;

const permissionRows = (): readonly string[] => [
  `| permission | | of | ${holders.join(' | ')} |`,
  `|---|---|---|${holders.map(() => ':-:|').join('')}`,
  ...Object.entries<Permission>(permissions).map(([name, { about, scope, keys, roles: having }]) => {
    const marks = holders.map((holder) =>
      (holder === 'API keys' ? keys : having.includes(holder)) ? 'yes' : '',
    );
    return `| \`${name}\` | ${about} | ${scope === 'company' ? 'company' : ''} | ${marks.join(' | ')} |`;
  }),
];

/** A table is between `<!-- generated: NAME -->` and `<!-- end -->`. */
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

const metricRows = (metrics: Readonly<Record<string, Metric>>): readonly string[] => [
  '| metric | type | labels | meaning |',
  '|---|---|---|---|',
  ...Object.entries(metrics).map(
    ([name, { kind, labels, help }]) =>
      `| \`${name}\` | ${kind} |${labels.length === 0 ? '' : ' '}${labels.join(', ')} | ${help} |`,
  ),
];
