import { StoreUnavailable } from '../../../kernel/errors.ts';
import type { Context } from '../koa.ts';
import type { Observer } from '../observer.ts';

export type Recording = Readonly<{
  observer: Observer;
  /** The parts of the service that are unavailable. */
  unavailableParts(): readonly string[];
}>;

/**
 * Notes that a key or a session was used. A read goes on while nothing can be written: the credential was
 * found all the same (keys-6).
 */
export const recordUse = async (
  { method, state }: Context,
  record: () => Promise<void>,
  { observer, unavailableParts }: Recording,
): Promise<void> => {
  if (unavailableParts().includes('documents')) return;
  try {
    await record();
  } catch (error) {
    if (method !== 'GET' || !(error instanceof StoreUnavailable)) throw error;
    observer.failed(error, state.requestId);
  }
};
