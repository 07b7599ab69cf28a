/** The time: injected, so that tests can set it. */
export type Clock = Readonly<{ now(): Date }>;

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
