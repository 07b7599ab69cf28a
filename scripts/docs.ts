import { readFileSync, writeFileSync } from 'node:fs';
import { eventsPage } from './docs/eventsPage.ts';
import { withFraudChecks } from './docs/fraudChecks.ts';
import { pagesWithTables } from './docs/tables.ts';

// `npm run docs`, from the project's folder.
const WORKFLOWS = 'docs/workflows.md';
writeFileSync('docs/events.md', eventsPage());
writeFileSync(WORKFLOWS, withFraudChecks(readFileSync(WORKFLOWS, 'utf8')));
for (const [path, text] of Object.entries(pagesWithTables())) writeFileSync(path, text);
