import { aggregates } from '../domain/aggregates.ts';
import { type EventDefinition, type EventDefinitions, upcast } from '../kernel/eventDefinition.ts';
import { type Fault, faultsUnder } from '../kernel/fault.ts';
import { NewMetadata, StoredMetadata } from '../kernel/metadata.ts';
import { compile } from './ajv.ts';

type Data = Readonly<Record<string, unknown>>;
type Versioned = Readonly<{ type: string; data: unknown; metadata: Readonly<{ schema: number }> }>;

/** The catalogue of these events (`EventCatalogue` of stores/events/catalogued.ts). */
export const createCatalogue = (definitions: EventDefinitions) => {
  const byType = new Map(
    Object.entries(definitions).map(([type, definition]) => [type, compiled(definition)]),
  );
  const checkNew = compile(NewMetadata);
  const checkStored = compile(StoredMetadata);
  return {
    current: (type: string): number | null => byType.get(type)?.checks.length ?? null,

    canRead: (type: string, schema: number): boolean => byType.get(type)?.checks[schema - 1] !== undefined,

    /** The private part of the event must be open. One that is not stored yet has no `metadata.prev`. */
    faults: ({ type, data, metadata }: Versioned): readonly Fault[] => {
      const checkData = byType.get(type)?.checks[metadata.schema - 1];
      if (!checkData)
        return [{ pointer: '', detail: 'is of a type or version that this release does not know' }];
      const checkMetadata = 'prev' in metadata ? checkStored : checkNew;
      return [...faultsUnder('/data', checkData(data)), ...faultsUnder('/metadata', checkMetadata(metadata))];
    },

    redacts: (type: string): boolean => byType.get(type)?.redacts ?? false,

    upcast: ({ type, data, metadata }: Versioned): unknown => {
      const steps = byType.get(type)?.earlier.slice(metadata.schema - 1) ?? [];
      return steps.length === 0 ? data : upcast(data as Data, steps);
    },
  };
};

const compiled = ({ data, earlier = [], redacts }: EventDefinition) => ({
  earlier,
  redacts: redacts === true,
  checks: [...earlier, { data }].map((version) => compile(version.data)),
});

/** The events that this release writes and reads. */
export const eventCatalogue = createCatalogue(
  Object.assign({}, ...aggregates.map(({ events }) => events)) as EventDefinitions,
);
