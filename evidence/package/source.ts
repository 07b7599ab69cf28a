/** A file of a package. `storedSize`: what it takes where it lies, in bytes; far less than `size` when it was compressed, or is mostly holes. */
export type SourceEntry = Readonly<{ path: string; size: number; storedSize: number }>;

/** A package to be read. `oddities`: what stands in it that is no file of a package, and is not looked into. */
export type Source = Readonly<{
  entries: readonly SourceEntry[];
  oddities: readonly Readonly<{ path: string; detail: string }>[];
  read(path: string): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}>;

/** What was given is no package that could be opened. */
export class NoPackage extends Error {
  override readonly name = 'NoPackage';
}
