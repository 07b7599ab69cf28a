import type { Clock } from '../../kernel/clock.ts';
import type { Instruments } from './instruments.ts';

/** The leases that this process holds; `show` counts them by kind. */
export const createHeldLeases = ({ intake_leases_held: gauge }: Instruments, clock: Clock) => {
  const kinds = new Set<string>();
  const held = new Map<string, number>();
  return {
    held: (lease: string, until: number | null): void => {
      if (until === null) held.delete(lease);
      else held.set(lease, until);
    },
    show: (): void => {
      const now = clock.now().getTime();
      // One whose end was not reported: its holder could not reach the store.
      for (const [lease, until] of held) if (until < now) held.delete(lease);
      for (const lease of held.keys()) kinds.add(kindOf(lease));
      for (const lease of kinds)
        gauge.set({ lease }, [...held.keys()].filter((one) => kindOf(one) === lease).length);
    },
  };
};

/** Leases are named `projections`, `reactor:<name>`, `<queue>/<id>`. */
const kindOf = (lease: string): string => lease.split(/[:/]/)[0] ?? lease;
