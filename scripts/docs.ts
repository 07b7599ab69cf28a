import { readFileSync, writeFileSync } from 'node:fs';
import { withChartSettings } from './docs/chartSettings.ts';
import { clientTypes, servedDocument } from './docs/clientTypes.ts';
import { dashboard } from './docs/dashboard.ts';
import { eventsPage } from './docs/eventsPage.ts';
import { withFieldTypes } from './docs/fieldTypes.ts';
import { withFraudChecks } from './docs/fraudChecks.ts';
import { pagesWithTables } from './docs/tables.ts';

// `npm run docs`, from the project's folder.
const WORKFLOWS = 'docs/workflows.md';
const CHART = 'deploy/helm/values.schema.json';
writeFileSync('docs/events.md', eventsPage());
writeFileSync('deploy/monitoring/dashboard.json', dashboard());
writeFileSync(WORKFLOWS, withFieldTypes(withFraudChecks(readFileSync(WORKFLOWS, 'utf8'))));
writeFileSync(CHART, withChartSettings(readFileSync(CHART, 'utf8')));
for (const [path, text] of Object.entries(pagesWithTables())) writeFileSync(path, text);
writeFileSync('client/api.ts', clientTypes(await servedDocument()));
