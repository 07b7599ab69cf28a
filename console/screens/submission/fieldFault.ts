import type { Problem } from '../../app/problem.ts';
import { faultAt } from '../../parts/formField.tsx';
import { say, texts } from '../../texts.ts';
import type { Field } from './fields.ts';
import { typed } from './typing.ts';

const own = texts.fields;

/** A pointer's part for a name (RFC 6901). */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** What is wrong with a field as it stands, in words; null for nothing. */
export const faultOf = (
  field: Field,
  text: string,
  problem: Problem | null,
  fits: boolean,
): string | null => {
  const read = typed(field, text);
  const { description } = field;
  if ('fault' in read) {
    const { validation } = read.cell?.rules ?? field;
    const count = read.fault === 'short' ? validation?.minLength : validation?.maxLength;
    const [one = '', other = ''] = read.readings ?? [];
    const fault = say(own.faults[read.fault], { count: count ?? 0, one, other });
    return read.cell ? say(own.grid.inCell, { row: read.cell.row, column: read.cell.column, fault }) : fault;
  }
  if (!fits) return description ? say(own.patternOf, { form: description }) : own.pattern;
  const pointer = `/corrections/${escaped(field.name)}`;
  return faultAt(problem, pointer) ?? faultIn(problem, pointer, field);
};

/** What is wrong with a cell of a table, by the refusal of the last decision. */
const faultIn = (problem: Problem | null, pointer: string, { columns }: Field): string | null => {
  const fault = problem?.errors?.find((one) => one.pointer.startsWith(`${pointer}/`));
  const [row = '', name = ''] = fault?.pointer.slice(pointer.length + 1).split('/') ?? [];
  const column = columns?.find((one) => one.name === name)?.label ?? name;
  return fault ? say(own.grid.inCell, { row: Number(row) + 1, column, fault: fault.detail }) : null;
};
