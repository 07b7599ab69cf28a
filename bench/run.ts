import { type Named, print, runNamed } from '../scripts/named.ts';
import { type Bench, tableOf } from './measure.ts';

/** Prints its rows, or hands them to the process that started this one (all.ts). */
const bench = (load: () => Promise<Bench>) => async (): Promise<Named> => {
  const { summary, run } = await load();
  return {
    summary,
    run: async (options) => {
      const rows = await run(options);
      if (process.send) process.send(rows);
      else print(tableOf(rows));
      return rows.every(({ reached }) => reached !== false);
    },
  };
};

// `npm run bench -- NAME [options]`. Exits 1 when a goal was missed.
await runNamed('bench', {
  append: bench(() => import('./append.ts')),
  rebuild: bench(() => import('./rebuild.ts')),
  lag: bench(() => import('./lag.ts')),
  events: bench(() => import('./events.ts')),
  documents: bench(() => import('./documents.ts')),
  fraud: bench(() => import('./fraud.ts')),
  search: bench(() => import('./search.ts')),
  extraction: bench(() => import('./extraction.ts')),
  papers: bench(() => import('./papers.ts')),
  presign: bench(() => import('./presign.ts')),
  sessions: bench(() => import('./sessions.ts')),
  reads: bench(() => import('./reads.ts')),
  responsiveness: bench(() => import('./responsiveness.ts')),
  account: bench(() => import('./account.ts')),
  pipeline: bench(() => import('./pipeline.ts')),
  deliveries: bench(() => import('./deliveries.ts')),
  deadReceivers: bench(() => import('./deadReceivers.ts')),
  growth: bench(() => import('./growth.ts')),
  load: bench(() => import('./load.ts')),
  compaction: bench(() => import('./compaction.ts')),
  rotation: bench(() => import('./rotation.ts')),
  memory: bench(() => import('./memory.ts')),
  all: bench(() => import('./all.ts')),
});
