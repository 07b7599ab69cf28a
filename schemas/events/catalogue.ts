import { type Upcasters, upcast } from '../../domain/upcast.ts';
import type { Fault } from '../../kernel/fault.ts';
import { compile } from '../ajv.ts';
import type { EventEntry, StreamEntry } from './event.ts';
import { NewMetadata, StoredMetadata } from './metadata.ts';

type Data = Readonly<Record<string, unknown>>;
type Versioned = Readonly<{ type: string; data: unknown; metadata: Readonly<{ schema: number }> }>;
type Check = ReturnType<typeof compile>;

/** What a release knows of events. */
export type Catalogue = ReturnType<typeof createCatalogue>;

/** A catalogue of these events. Throws for one that has not a step between each two of its versions. */
export const createCatalogue = (streams: readonly StreamEntry[], upcasters: Upcasters) => {
  const known = new Map(streams.flatMap(({ events }) => Object.entries(events)).map(knownEvent(upcasters)));
  const checkNew = compile(NewMetadata);
  const checkStored = compile(StoredMetadata);
  return {
    /** The version in which an event's data are written; null for a type that this release does not know. */
    current: (type: string): number | null => known.get(type)?.checks.length ?? null,

    /** Whether an event of this type can be read whose data are in that version. */
    knows: (type: string, schema: number): boolean => known.get(type)?.checks[schema - 1] !== undefined,

    /**
     * Where an event, its private part open, breaks the schemas of its version and of metadata; none when it keeps them. An event that is not
     * stored yet has no `metadata.prev`.
     */
    faults: ({ type, data, metadata }: Versioned): readonly Fault[] => {
      const checkData = known.get(type)?.checks[metadata.schema - 1];
      if (!checkData)
        return [{ pointer: '', detail: 'is of a type or version that this release does not know' }];
      const checkMetadata = 'prev' in metadata ? checkStored : checkNew;
      return [...under('/data', checkData(data)), ...under('/metadata', checkMetadata(metadata))];
    },

    /** The data of a known event as its current version has them. */
    upcast: ({ type, data, metadata }: Versioned): unknown => {
      const steps = known.get(type)?.steps.slice(metadata.schema - 1) ?? [];
      return steps.length === 0 ? data : upcast(data as Data, steps);
    },
  };
};

const knownEvent =
  (upcasters: Upcasters) =>
  ([type, { versions }]: readonly [string, EventEntry]) => {
    const steps = upcasters[type] ?? [];
    if (steps.length !== versions.length - 1)
      throw new Error(`${type} has ${versions.length} versions and ${steps.length} steps between them`);
    const checks: readonly Check[] = versions.map(compile);
    return [type, { checks, steps }] as const;
  };

const under = (parent: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer: `${parent}${pointer}`, detail }));
