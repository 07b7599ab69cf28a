import { AsyncLocalStorage } from 'node:async_hooks';
import { namesOf, type Traced } from '../kernel/trace.ts';

const scope = new AsyncLocalStorage<Traced>();

/** Does work in a span. */
export const withinSpan = <T>(trace: Traced, work: () => T): T => scope.run(trace, work);

/** Where the work under way stands; nothing outside of a span, so while nothing records traces. */
export const currentTrace = (): Traced => scope.getStore() ?? {};

/** What a log line says of it (traces-4). */
export const currentNames = (): object => namesOf(currentTrace()) ?? {};
