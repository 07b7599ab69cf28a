/**
 * Where a package is written. Nothing stands under the package's own name before `finish`; `discard` takes away what was written. `compress`: the
 * bytes are text that becomes smaller by it.
 */
export type Sink = Readonly<{
  add(path: string, bytes: AsyncIterable<Uint8Array>, compress: boolean): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}>;

/** There is something under the package's name already, or no folder for it. */
export class PackageRefused extends Error {
  override readonly name = 'PackageRefused';
}
