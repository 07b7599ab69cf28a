import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Fault } from '../../kernel/fault.ts';
import { bytesOf } from '../bytes.ts';
import type { Copy } from '../derive/files.ts';
import type { DocumentName } from '../format.ts';

/** A hash of what was added, in hex. */
export type Hash = Readonly<{ add(chunk: Uint8Array): void; end(): Promise<string> }>;

/** A public key: its identifier, and whether a signature of these bytes is its. */
export type Verifier = Readonly<{
  id: string;
  holds(bytes: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}>;

type Check = (value: unknown) => readonly Fault[];

/** What verification needs of where it runs: Node, or a browser. */
export type Platform = Readonly<{
  sha256(): Hash;
  md5(): Hash;
  checkManifest: Check;
  checkLine: Check;
  derivation: Derivation;
}>;

/** How the documents of a package follow from its events. */
export type Derivation = Readonly<{
  /** Whether this release can read an event. */
  isSupported(event: Recorded): boolean;
  /** Those of a submission's events that it can, in their current version. */
  submissionEvents(events: readonly Recorded[]): readonly Recorded<SubmissionEvent>[];
  /** The entry of a delivery's stream in `deliveries.json`; null for no events. */
  deliveryEntry(events: readonly Recorded[]): object | null;
  /**
   * The documents that can be derived here. `deliveries` are results of `deliveryEntry`, `copies` are by file
   * id.
   */
  documentsOf(
    events: readonly Recorded[],
    deliveries: readonly (object | null)[],
    copies: ReadonlyMap<string, Copy>,
  ): Readonly<Partial<Record<DocumentName, unknown>>>;
}>;

/** The SHA-256 of a text, in hex. */
export const sha256Of = ({ sha256 }: Pick<Platform, 'sha256'>, text: string): Promise<string> => {
  const hash = sha256();
  hash.add(bytesOf(text));
  return hash.end();
};
