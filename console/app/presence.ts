import { createStore } from './store.ts';

/** Whether the page is in view, and whether somebody is there: what goes on by itself stops without them. */
export type Presence = Readonly<{ isInView: boolean; isAway: boolean }>;

/**
 * Nobody has touched a key or the pointer for so long: the person is away. A session then ends by itself too.
 */
const AWAY_MS = 15 * 60_000;
const CHECK_MS = 30_000;

const isInView = (): boolean => document.visibilityState !== 'hidden';

/** As it is now. */
export const presence = createStore<Presence>({ isInView: isInView(), isAway: false });

let touchedAt = Date.now();

const update = (): void => {
  const now: Presence = { isInView: isInView(), isAway: Date.now() - touchedAt > AWAY_MS };
  const before = presence.get();
  if (now.isInView !== before.isInView || now.isAway !== before.isAway) presence.set(now);
};

const touched = (): void => {
  touchedAt = Date.now();
  if (presence.get().isAway) update();
};

for (const name of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
  window.addEventListener(name, touched, { capture: true, passive: true });
document.addEventListener('visibilitychange', update);
setInterval(update, CHECK_MS);
