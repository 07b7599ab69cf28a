import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { dashboard } from '../../scripts/docs/dashboard.ts';
import { type Metric, processMetrics, storeGauges } from '../../telemetry/metrics/table.ts';
import { suite } from '../harness.ts';
import { client } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { textOf } from './files.ts';

const test = suite('deploy/monitoring');

type Rule = Readonly<{
  alert: string;
  expr: string;
  labels: Readonly<{ severity: string }>;
  annotations: Readonly<{ summary: string; action: string }>;
}>;
const { groups } = parse(textOf('deploy/monitoring/alerts.yaml')) as {
  groups: readonly Readonly<{ rules: readonly Rule[] }>[];
};
const rules = groups.flatMap((group) => group.rules);
const metrics: Readonly<Record<string, Metric>> = { ...processMetrics, ...storeGauges };

/** What a query names that the service does not have: a metric, or a label of one. */
const unknownIn = (query: string): readonly string[] =>
  [...query.matchAll(/\b(intake_\w+?)(?:_(bucket|sum|count))?(?:\{([^}]*)\})?(?=[^\w{]|$)/g)].flatMap(
    ([found, name = '', part, labels = '']) => {
      const metric = metrics[name];
      if (!metric || (part !== undefined && metric.kind !== 'histogram')) return [found];
      const named = [...labels.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label = '']) => label);
      return named.filter((label) => !metric.labels.includes(label)).map((label) => `${name}{${label}}`);
    },
  );

/** The labels by which it adds up, but for those that Prometheus adds. */
const groupedBy = (query: string): readonly string[] =>
  [...query.matchAll(/by \(([^)]*)\)/g)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== 'le');

const labelsOf = (query: string): readonly string[] =>
  Object.entries(metrics).flatMap(([name, { labels }]) => (query.includes(name) ? labels : []));

const queriesOf = (document: string): readonly string[] =>
  [...document.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text) as string);

test('alerts and plots name metrics and labels that the service has', () => {
  const queries = [...rules.map(({ expr }) => expr), ...queriesOf(dashboard())];
  assert.ok(queries.length > 40, `${queries.length}`);
  assert.equal(queries.flatMap(unknownIn), []);
  for (const query of queries)
    for (const label of groupedBy(query)) assert.ok(labelsOf(query).includes(label), `${label} in ${query}`);
  assert.equal(
    unknownIn('sum(intake_appended_total) + intake_queue_items{lane="x"} + intake_appends_total_sum'),
    ['intake_appended_total', 'intake_queue_items{lane}', 'intake_appends_total_sum'],
  );
});

/** What an alert watches the growth of: counters whose labels are closed, each with the values it chooses. */
const grownIn = (query: string) =>
  [...query.matchAll(/\b(?:increase|rate)\((intake_\w+)(?:\{([^}]*)\})?\[/g)].flatMap(
    ([, name = '', chosen = '']) => {
      const { kind, labels = [], values = {} } = metrics[name] ?? {};
      if (kind !== 'counter' || labels.some((label) => !values[label])) return [];
      const matchers = [...chosen.matchAll(/(\w+)(=~|!=|!~|=)"([^"]*)"/g)];
      const isChosen = (label: string, value: string): boolean =>
        matchers
          .filter(([, matched]) => matched === label)
          .every(([, , operator = '', text = '']) => {
            const found = operator.endsWith('~') ? new RegExp(`^(?:${text})$`).test(value) : value === text;
            return found !== operator.startsWith('!');
          });
      const wanted = labels.map((label) => values[label]?.filter((value) => isChosen(label, value)) ?? []);
      return { name, labels, series: wanted.reduce((count, some) => count * some.length, 1), isChosen };
    },
  );

/** The values of a metric's series whose labels pass. */
const samplesOf = (text: string, { name, labels, isChosen }: ReturnType<typeof grownIn>[number]) =>
  [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].flatMap(([, given = '', value]) => {
    const of = new Map([...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, one]) => [label, one]));
    return labels.every((label) => isChosen(label, of.get(label) ?? '')) ? [Number(value)] : [];
  });

test('[metrics-20] what an alert watches the growth of is there at 0 when a process starts', async () => {
  const grown = rules.flatMap(({ expr }) => grownIn(expr));
  assert.ok(grown.length >= 6, `${grown.length}`);
  const token = 'metrics-token-of-the-test';
  const service = await startService({ METRICS_TOKEN: token });
  try {
    const { text } = await client(service.url, token).get('/metrics');
    for (const one of grown) {
      assert.ok(one.series > 0, `${one.name}: no value is one that the alert chooses`);
      assert.equal(samplesOf(text, one), Array(one.series).fill(0), one.name);
    }
  } finally {
    await service.close();
  }
});

test('each alert has a name of its own, a severity, and says what it means and what to do', () => {
  assert.is(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, labels, annotations } of rules) {
    assert.match(alert, /^Intake[A-Z]/);
    assert.ok(['page', 'ticket'].includes(labels.severity), alert);
    assert.ok(annotations.summary && annotations.action, alert);
  }
});

test('the dashboard is as its table says: npm run docs writes it', () => {
  assert.is(textOf('deploy/monitoring/dashboard.json'), dashboard());
});
