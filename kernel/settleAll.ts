import { StoreUnavailable } from './errors.ts';

/**
 * Does all of these at once, and ends when each of them has: the next run must not overlap stragglers of this
 * one. A failure holds up no other and goes to `failed`; only `StoreUnavailable`, which the others would meet
 * too, is thrown.
 */
export const settleAll = async <D>(
  items: readonly D[],
  act: (item: D) => Promise<void>,
  failed: (item: D, error: unknown) => void,
): Promise<void> => {
  const unavailable: StoreUnavailable[] = [];
  const attempt = async (item: D): Promise<void> => {
    try {
      await act(item);
    } catch (error) {
      if (error instanceof StoreUnavailable) unavailable.push(error);
      else failed(item, error);
    }
  };
  await Promise.all(items.map(attempt));
  const [first] = unavailable;
  if (first) throw first;
};
