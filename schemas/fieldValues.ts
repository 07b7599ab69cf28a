import { MAX_ROWS } from '../domain/submission/processingResult.ts';
import type { OutputField } from '../domain/workflow.ts';
import { type FieldType, fieldTypeNames, fieldTypes } from '../fieldTypes/all.ts';
import { escapePointer, type Fault, faultIf } from '../kernel/fault.ts';
import { compile } from './ajv.ts';

const checks = Object.fromEntries(
  fieldTypeNames.map((type) => [type, compile(fieldTypes[type].schema)]),
) as Readonly<Record<FieldType, ReturnType<typeof compile>>>;

/** The faults of a value as one of a type; the rules of its field are not checked. */
export const typeFaults = (type: FieldType, value: unknown): readonly Fault[] => checks[type](value);

/**
 * The faults of a value as one of a field; of a table also those of its rows and cells, by their places in it
 * (`/2/price`), and of required cells that have none. Rules of texts are not checked.
 */
export const fieldFaults = (
  { type, columns = [] }: Pick<OutputField, 'type' | 'columns'>,
  value: unknown,
): readonly Fault[] => {
  const faults = typeFaults(type, value);
  if (type !== 'table' || !Array.isArray(value)) return faults;
  if (value.length > MAX_ROWS) return [{ pointer: '', detail: `must not have more than ${MAX_ROWS} rows` }];
  return value.flatMap((row: unknown, index) => rowFaults(columns, row, `/${index}`));
};

type Columns = NonNullable<OutputField['columns']>;

const rowFaults = (columns: Columns, row: unknown, at: string): readonly Fault[] => {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return [{ pointer: at, detail: 'must be an object of columns' }];
  const cells = new Map<string, unknown>(Object.entries(row));
  const unknown = [...cells.keys()].filter((name) => !columns.some((column) => column.name === name));
  return [
    ...unknown.map((name) => ({ pointer: `${at}/${escapePointer(name)}`, detail: 'is no column' })),
    ...columns.flatMap(({ name, type, required }) => {
      const [pointer, cell] = [`${at}/${name}`, cells.get(name) ?? null];
      if (cell === null) return faultIf(required, pointer, 'is required, and has no value');
      return typeFaults(type, cell).map(({ detail }) => ({ pointer, detail }));
    }),
  ];
};
