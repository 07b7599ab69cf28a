import { basename } from 'node:path';

/** The stream was not at the revision that the writer expected: somebody else appended first. */
export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';

  constructor(stream: string, expected: 'none' | number, actual: 'none' | number) {
    super(`stream ${stream} is at revision ${actual}, not ${expected}`);
  }
}

/** A store can't be reached or can't write now; the same call may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** A store's file is damaged: nothing in it can be trusted, and waiting does not help. The message says what does. */
export class StoreDamaged extends StoreUnavailable {
  override readonly name: string = 'StoreDamaged';
  /** What may be told to anybody: the file without its folder. */
  readonly brief: string;
  readonly reason: string;

  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`${path} is damaged (${reason}): ${remedy}`, options);
    this.brief = `${basename(path)} is damaged`;
    this.reason = reason;
  }
}

/** The file of one stored object is damaged: its bytes can't be told from what else stands in it. The other objects are as they were. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged';
}

/**
 * A store refuses the service, or is not the one that it must be: a wrong password, no right, no bucket. Waiting does not mend it: it stops a start.
 * What runs already waits all the same, for a person: to whoever calls it is one more outage.
 */
export class StoreMisconfigured extends StoreUnavailable {
  override readonly name = 'StoreMisconfigured';
}

/** Whether an outage may be over by itself. */
export const isPassing = (error: unknown): error is StoreUnavailable =>
  error instanceof StoreUnavailable &&
  !(error instanceof StoreDamaged) &&
  !(error instanceof StoreMisconfigured);

/** The writer no longer holds the lease it writes under; another one has taken over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(lease: string) {
    super(`the lease ${lease} has passed to another holder`);
  }
}

/** A sealed part is not what was sealed: it was changed, or its key is another one. Waiting does not help. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** An event breaks its schema: a fault of ours, and nothing was stored. The message says where, and holds no value, which may be private. */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';

  constructor(
    type: string,
    stream: string,
    faults: readonly Readonly<{ pointer: string; detail: string }>[],
  ) {
    const places = faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
    super(`the event ${type} for ${stream} breaks its schema: ${places.join('; ')}`);
  }
}
