import { type Named, print, runNamed } from '../scripts/named.ts';
import { type Bench, tableOf } from './measure.ts';

/** Prints its rows, and hands them to the process that started this one. */
const bench = (load: () => Promise<Bench>) => async (): Promise<Named> => {
  const { summary, run } = await load();
  return {
    summary,
    run: async (options) => {
      const rows = await run(options);
      print(tableOf(rows));
      process.send?.(rows);
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
  extraction: bench(() => import('./extraction.ts')),
  presign: bench(() => import('./presign.ts')),
  sessions: bench(() => import('./sessions.ts')),
  reads: bench(() => import('./reads.ts')),
  responsiveness: bench(() => import('./responsiveness.ts')),
  pipeline: bench(() => import('./pipeline.ts')),
  deliveries: bench(() => import('./deliveries.ts')),
});
