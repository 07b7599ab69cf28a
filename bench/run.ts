import { runNamed } from '../scripts/named.ts';

// `npm run bench -- NAME [options]`. Exits 1 when a goal was missed.
await runNamed('bench', {
  append: () => import('./append.ts'),
  rebuild: () => import('./rebuild.ts'),
  events: () => import('./events.ts'),
  documents: () => import('./documents.ts'),
  fraud: () => import('./fraud.ts'),
  extraction: () => import('./extraction.ts'),
  presign: () => import('./presign.ts'),
  sessions: () => import('./sessions.ts'),
  reads: () => import('./reads.ts'),
  responsiveness: () => import('./responsiveness.ts'),
  deliveries: () => import('./deliveries.ts'),
});
