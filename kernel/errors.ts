import { basename } from 'node:path';
import type { Fault } from './fault.ts';

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

/** A read model that came with this release has never been built: until then it can't be read. */
export class ReadModelNotBuilt extends StoreUnavailable {
  override readonly name = 'ReadModelNotBuilt';

  constructor(readModel: string) {
    super(
      `The read model ${readModel} came with this release and is being built from the log: ask again in a moment.`,
    );
  }
}

/** A store's file is damaged: nothing in it can be trusted. The message has the remedy. */
export class StoreDamaged extends StoreUnavailable {
  override readonly name: string = 'StoreDamaged';
  /** For everybody: the file without its folder. */
  readonly brief: string;
  readonly reason: string;

  constructor(path: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`${path} is damaged (${reason}): ${remedy}`, options);
    this.brief = `${basename(path)} is damaged`;
    this.reason = reason;
  }
}

/** The file of one stored object is damaged. The other objects are not affected. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged';
}

/**
 * A store refuses the service, or is another one than configured: a wrong password, a missing permission, no
 * bucket. Waiting does not help: it stops a start. A running service treats it as an outage until a person
 * mends it.
 */
export class StoreMisconfigured extends StoreUnavailable {
  override readonly name = 'StoreMisconfigured';
}

/** Whether an outage may end by itself. */
export const isPassing = (error: unknown): error is StoreUnavailable =>
  error instanceof StoreUnavailable &&
  !(error instanceof StoreDamaged) &&
  !(error instanceof StoreMisconfigured);

/** The identity provider does not answer, or refuses the service. The message, for the log, says why. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = 'IdentityProviderUnavailable';
}

/** The writer no longer holds the lease it writes under: it has passed to another holder. */
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

/**
 * An event breaks its schema: a fault of the service. Nothing was stored. The message has no values, which
 * may be private.
 */
export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';

  constructor(type: string, stream: string, faults: readonly Fault[]) {
    const found = faults.map(({ pointer, detail }) => `${pointer} ${detail}`);
    super(`the event ${type} for ${stream} breaks its schema: ${found.join('; ')}`);
  }
}
