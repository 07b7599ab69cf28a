/** The time as the service sees it: injected, so that tests can stand still or jump. */
export type Clock = Readonly<{ now(): Date }>;

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
