// Must be evaluated before uvu itself: it keeps uvu from starting on its own, so that the harness can await the end.
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: [[null]], UVU_INDEX: 0 });
