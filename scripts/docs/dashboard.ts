import type { storeGauges } from '../../telemetry/metrics/table.ts';

/** The unit of a panel's axis, as Grafana names it. */
type Unit = 's' | 'reqps' | 'short' | 'ops' | 'percentunit' | 'bytes';

/** What a panel plots: its title, unit, and queries, each with its legend. */
type Panel = readonly [title: string, unit: Unit, ...queries: (readonly [query: string, legend: string])[]];

const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;

const quantile = (share: number, metric: string, by = 'le'): string =>
  `histogram_quantile(${share}, ${rate(`${metric}_bucket`, by)})`;

/** Of the whole service, and the same on each process. */
const whole = (metric: keyof typeof storeGauges, by: string): string => `max by (${by}) (${metric})`;

/** How much of a counter has these results, over a day, by workflow. */
const shareOfDay = (metric: string, results: string): string =>
  `sum by (workflow) (increase(${metric}{${results}}[1d])) / sum by (workflow) (increase(${metric}[1d]))`;

const rows: Readonly<Record<string, readonly Panel[]>> = {
  API: [
    ['Requests', 'reqps', [rate('intake_http_requests_total', 'status'), '{{status}}']],
    [
      'Time of an answer',
      's',
      [quantile(0.5, 'intake_http_request_duration_seconds'), 'half within'],
      [quantile(0.99, 'intake_http_request_duration_seconds'), '99 % within'],
    ],
    [
      'Slowest endpoints, 99 % within',
      's',
      [`topk(5, ${quantile(0.99, 'intake_http_request_duration_seconds', 'le, endpoint')})`, '{{endpoint}}'],
    ],
  ],
  'What happens': [
    ['Events', 'ops', [rate('intake_events_appended_total', 'type'), '{{type}}']],
    ['Rounds of processing', 'ops', [rate('intake_processing_results_total', 'result'), '{{result}}']],
    [
      'Reading a submission',
      's',
      [quantile(0.5, 'intake_processing_duration_seconds'), 'half within'],
      [quantile(0.99, 'intake_processing_duration_seconds'), '99 % within'],
    ],
    [
      'Workers',
      'short',
      ['sum(intake_processing_running)', 'reading'],
      ['sum(intake_processing_slots)', 'at most'],
    ],
    ['Pages', 'ops', ['sum(rate(intake_processing_pages_total[$__rate_interval]))', 'pages']],
    [
      'Steps of processing, mean',
      's',
      [
        `${rate('intake_processing_step_duration_seconds_sum', 'step')} / ${rate('intake_processing_step_duration_seconds_count', 'step')}`,
        '{{step}}',
      ],
    ],
    [
      'Values that people corrected, over a day',
      'percentunit',
      [shareOfDay('intake_approved_values_total', 'result!="right"'), '{{workflow}}'],
      [shareOfDay('intake_approved_values_total', 'result="corrected_sure"'), '{{workflow}}, though sure'],
    ],
  ],
  'What waits': [
    ['Due', 'short', [whole('intake_queue_due_items', 'queue'), '{{queue}}']],
    ['Due since', 's', [whole('intake_queue_oldest_due_seconds', 'queue'), '{{queue}}']],
    ['Read models behind', 's', [whole('intake_projection_lag_seconds', 'projection'), '{{projection}}']],
    ['Reactors behind', 's', [whole('intake_reactor_lag_seconds', 'reactor'), '{{reactor}}']],
    [
      'Stands still',
      'short',
      [whole('intake_quarantined_documents', 'projection'), 'quarantined in {{projection}}'],
      [whole('intake_reactions_set_aside', 'reactor'), 'set aside by {{reactor}}'],
      [whole('intake_parked_events', 'type'), 'parked: {{type}}'],
    ],
  ],
  'What goes out': [
    ['Attempts of webhooks', 'ops', [rate('intake_webhook_attempts_total', 'result'), '{{result}}']],
    [
      'Time of an attempt, 99 % within',
      's',
      [quantile(0.99, 'intake_webhook_attempt_duration_seconds', 'le, result'), '{{result}}'],
    ],
    [
      'Syncs and mails',
      'ops',
      [rate('intake_sync_attempts_total', 'result'), 'syncs {{result}}'],
      [rate('intake_mail_attempts_total', 'result'), 'mails {{result}}'],
    ],
  ],
  Stores: [
    [
      'Appending',
      's',
      [quantile(0.5, 'intake_append_duration_seconds'), 'half within'],
      [quantile(0.99, 'intake_append_duration_seconds'), '99 % within'],
    ],
    ['Away', 'short', ['max by (part) (intake_part_away)', '{{part}}']],
    ['Lost races', 'ops', ['sum(rate(intake_append_conflicts_total[$__rate_interval]))', 'decided again']],
  ],
  Processes: [
    [
      'Processors',
      'percentunit',
      ['rate(process_cpu_seconds_total{job="intake"}[$__rate_interval])', '{{instance}}'],
    ],
    ['Memory', 'bytes', ['process_resident_memory_bytes{job="intake"}', '{{instance}}']],
    ['Event loop, 99 % within', 's', ['nodejs_eventloop_lag_p99_seconds{job="intake"}', '{{instance}}']],
  ],
};

const WIDTH = 8;
const HEIGHT = 7;
const IN_A_ROW = 3;
const datasource = { type: 'prometheus', uid: '$' + '{source}' };

const panelOf = ([title, unit, ...queries]: Panel, id: number, x: number, y: number) => ({
  ...{ id, type: 'timeseries', title, datasource, gridPos: { x, y, w: WIDTH, h: HEIGHT } },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options: { tooltip: { mode: 'multi', sort: 'desc' } },
  targets: queries.map(([expr, legendFormat], index) => ({
    ...{ expr, legendFormat, refId: String.fromCharCode(65 + index) },
    datasource,
  })),
});

/** deploy/monitoring/dashboard.json, for Grafana to import: panels over the metrics of the service. */
export const dashboard = (): string => {
  const panels: object[] = [];
  let y = 0;
  for (const [title, ofRow] of Object.entries(rows)) {
    panels.push({ id: panels.length + 1, type: 'row', title, gridPos: { x: 0, y, w: 24, h: 1 } });
    ofRow.forEach((panel, index) => {
      const line = Math.floor(index / IN_A_ROW);
      panels.push(panelOf(panel, panels.length + 1, (index % IN_A_ROW) * WIDTH, y + 1 + line * HEIGHT));
    });
    y += 1 + Math.ceil(ofRow.length / IN_A_ROW) * HEIGHT;
  }
  const source = { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' };
  const document = {
    ...{ uid: 'intake', title: 'Intake', tags: ['intake'], schemaVersion: 39, refresh: '30s' },
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [source] },
    panels,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};
