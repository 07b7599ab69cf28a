import type { Call } from '@grpc/grpc-js';

// Cancelling a call makes Node send at once what its connection has to send. A call is often cancelled because another one of its connection was
// just reset: in that turn Node 20.20 still asks the latter for data that it had queued, finds them gone, and asks for ever. The process spins and
// its memory grows until it dies (test/stores/eventStoreDb/reset.process.ts).

/** Cancels a call, in a turn of its own. */
export const endCall = (call: Pick<Call, 'cancel'>): void => void setImmediate(() => call.cancel());
