/**
 * A file of a package. `storedSize` in bytes: far less than `size` when it is compressed, or a sparse file.
 */
export type SourceEntry = Readonly<{ path: string; size: number; storedSize: number }>;

/** A package to be read. `unexpected`: entries that are no files of a package, which are not read. */
export type Source = Readonly<{
  entries: readonly SourceEntry[];
  unexpected: readonly Readonly<{ path: string; detail: string }>[];
  read(path: string): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}>;

/** The path is not a package that can be opened. */
export class NoPackage extends Error {
  override readonly name = 'NoPackage';
}
