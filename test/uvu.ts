/** Forgets what uvu has run, so that the next file's suites run alone. */
export const newQueue = (): void => void Object.assign(globalThis, { UVU_QUEUE: [[null]], UVU_INDEX: 0 });

// Must be evaluated before uvu itself: it keeps uvu from starting on its own, so that the harness can await
// the end.
Object.assign(globalThis, { UVU_DEFER: 1 });
newQueue();
