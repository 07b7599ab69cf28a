import type { Said } from '../verify/sentences.ts';

/**
 * A file of a package. `storedSize` in bytes: far less than `size` when it is compressed, or a sparse file.
 */
export type SourceEntry = Readonly<{ path: string; size: number; storedSize: number }>;

/** A package to be read. `unexpected`: entries that are no files of a package, which are not read. */
export type Source = Readonly<{
  entries: readonly SourceEntry[];
  unexpected: readonly Readonly<{ path: string; said: Said }>[];
  read(path: string): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}>;

/** A file of a package can't be read, and why. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly said: Said;

  constructor(said: Said) {
    super(said.code);
    this.said = said;
  }
}

/** The path is not a package that can be opened. */
export class NoPackage extends Error {
  override readonly name = 'NoPackage';
}
