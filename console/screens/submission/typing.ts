import { locale, type texts } from '../../texts.ts';
import { rowsIn } from './cells.ts';
import { asText, type Field } from './fields.ts';
import { dateOf, numberOf } from './printed.ts';

/** What was typed in a field: its value, or what is wrong with it. */
export type Typed =
  | Readonly<{ value: Value }>
  | Readonly<{ fault: Fault; readings?: readonly [string, string]; cell?: Cell }>;
/** A value as it is sent. */
export type Value = Single | readonly Readonly<Record<string, Single>>[];
type Single = string | number | boolean | null;
/** A cell of a table, its row from 1. */
type Cell = Readonly<{ row: number; column: string; rules: Rules }>;
/** What a value is read by. */
type Rules = Pick<Field, 'type' | 'validation' | 'columns'>;
type Fault = keyof typeof texts.fields.faults;

type Input = Readonly<{
  control: 'lines' | 'number' | 'choice' | 'date' | 'grid';
  /** What was typed, without spaces around it. */
  read(text: string, field: Rules): Typed;
}>;

/**
 * Reads what was typed as the field's type has it, and checks all but its pattern. Nothing clears the field.
 */
export const typed = (field: Rules, text: string): Typed => {
  const trimmed = text.trim();
  return trimmed ? inputs[field.type].read(trimmed, field) : { value: null };
};

const textOf = (value: string, { validation }: Rules): Typed => {
  const { length } = [...value];
  if (length < (validation?.minLength ?? 0)) return { fault: 'short' };
  if (length > (validation?.maxLength ?? length)) return { fault: 'long' };
  return { value };
};

/** The rows of a table; what is wrong with the first cell at fault. */
const rowsOf = (text: string, { columns }: Rules): Typed => {
  const rows: Record<string, Single>[] = [];
  for (const [index, row] of rowsIn(text).entries()) {
    const cells: Record<string, Single> = {};
    for (const column of columns ?? []) {
      const rules = { ...column, columns: null };
      const cell = { row: index + 1, column: column.label ?? column.name, rules };
      const read = typed(rules, asText(row[column.name]));
      if ('fault' in read) return { ...read, cell };
      if (read.value === null && column.required) return { fault: 'required', cell };
      cells[column.name] = read.value as Single;
    }
    rows.push(cells);
  }
  return { value: rows };
};

/** The names of the months in the language of the page. */
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2026, month)).toLocaleString(locale, { month: 'long', timeZone: 'UTC' }).toLowerCase(),
);

/** What was typed, where it has one reading; `fault` where it has none, `ambiguous` where it has two. */
const readAs = (
  printed: ReturnType<typeof numberOf | typeof dateOf>,
  fault: Fault,
  ambiguous: Fault = 'numbers',
): Typed => {
  if (printed === null) return { fault };
  return 'value' in printed ? printed : { fault: ambiguous, ...printed };
};

/** How values are typed, by type of field. The records in fieldTypes/ would add to what browsers load. */
export const inputs: Readonly<Record<Field['type'], Input>> = {
  string: { control: 'lines', read: textOf },
  number: { control: 'number', read: (text) => readAs(numberOf(text, 'number'), 'number') },
  integer: { control: 'number', read: (text) => readAs(numberOf(text, 'integer'), 'integer') },
  boolean: { control: 'choice', read: (text) => ({ value: text === 'true' }) },
  table: { control: 'grid', read: rowsOf },
  date: { control: 'date', read: (text) => readAs(dateOf(text, MONTHS), 'date', 'dates') },
};

/** What a text is understood as, as it is typed; the text itself where it has no reading. */
export const understoodAs = (field: Field, text: string): string => {
  const read = typed(field, text);
  return 'value' in read ? asText(read.value) : text.trim();
};
