import { runNamed } from './named.ts';

// `npm run trial -- NAME [--data FOLDER]`: attacks and faults against a service that it starts on a folder
// (by default a temporary one). INTAKE_EXECUTABLE names another build to try, to compare with the figures
// before a change. Exits 1 when a goal was missed.
await runNamed('trial', {
  client: () => import('./trials/client.ts'),
  clock: () => import('./trials/clock.ts'),
  damage: () => import('./trials/damage.ts'),
  evaluation: () => import('./trials/evaluation.ts'),
  forget: () => import('./trials/forget.ts'),
  'frozen-node': () => import('./trials/frozenNode.ts'),
  'log-ins': () => import('./trials/logIns.ts'),
  'large-file': () => import('./trials/largeFile.ts'),
  listen: () => import('./trials/listen.ts'),
  patterns: () => import('./trials/patterns.ts'),
  retention: () => import('./trials/retention.ts'),
  uploads: () => import('./trials/uploads.ts'),
  'full-disk': () => import('./trials/fullDisk.ts'),
  upgrade: () => import('./trials/upgrade.ts'),
});
