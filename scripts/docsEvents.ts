import { writeFileSync } from 'node:fs';
import { eventsPage } from './docs/eventsPage.ts';

// `npm run docs:events`, from the project's folder.
writeFileSync('docs/events.md', eventsPage());
