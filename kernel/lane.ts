import type { Mode } from './scope.ts';

/**
 * The lane of a queue that work waits in: one a company and mode and, for work at another server, its origin.
 * A slow server so delays nobody else, and tests no live data. Stored with the work, and split only here.
 */
export const laneOf = (companyId: string, mode: Mode, origin: string | null = null): string =>
  origin === null ? `${companyId} ${mode}` : `${companyId} ${mode} ${origin}`;

/** The tenant of a lane: its company. */
export const tenantOf = (lane: string): string => lane.split(' ', 1)[0] ?? '';

/** The origin of a lane, null when its work stays here. */
export const originOf = (lane: string): string | null => lane.split(' ')[2] ?? null;
