import type { Parameter } from '../../schemas/parameters.ts';
import type { Scalar, Where } from '../../stores/documents/port.ts';

type Times = Readonly<{
  /** ISO 8601; created from this time on. */
  createdAfter?: string;
  /** ISO 8601; created before this time. */
  createdBefore?: string;
}>;

/** The dotted paths of the members of a document, down to four. */
type PathIn<T, Depth extends readonly unknown[] = []> = Depth['length'] extends 4
  ? never
  : T extends readonly unknown[]
    ? never
    : T extends object
      ? {
          [K in keyof T & string]: K | `${K}.${PathIn<NonNullable<T[K]>, readonly [...Depth, K]>}`;
        }[keyof T & string]
      : never;

/**
 * Where documents have what a list is restricted by: a path for each filter that the API has of the list, but
 * for times. `Renamed` has the filters of another name here, and as `never` those that are no member of the
 * documents.
 */
export type FilterPaths<
  Document,
  Filters extends Readonly<Record<string, Parameter<unknown>>>,
  Renamed extends Readonly<Record<string, string>> = Readonly<Record<never, never>>,
> = Readonly<
  Record<Exclude<keyof Filters, keyof Times | keyof Renamed> | Renamed[keyof Renamed], PathIn<Document>>
>;

/** Conditions of a list by the names of these paths; all members given must hold. */
export type Conditions<Paths> = Readonly<{ [Name in keyof Paths]?: Scalar }> & Times;

/** The same conditions on the documents. */
export const conditionsOn =
  <Paths extends Readonly<Record<string, string>>>(paths: Paths) =>
  ({ createdAfter: from, createdBefore: before, ...equal }: Conditions<Paths>): Where => {
    const values: Readonly<Record<string, Scalar | undefined>> = equal;
    const where: Record<string, Where[string]> = {};
    for (const [name, path] of Object.entries(paths)) {
      const value = values[name];
      if (value !== undefined) where[path] = value;
    }
    if (from !== undefined || before !== undefined)
      where.createdAt = {
        ...(from === undefined ? {} : { from }),
        ...(before === undefined ? {} : { before }),
      };
    return where;
  };
