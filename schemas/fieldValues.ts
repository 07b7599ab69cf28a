import { type FieldType, fieldTypeNames, fieldTypes } from '../fieldTypes/all.ts';
import type { Fault } from '../kernel/fault.ts';
import { compile } from './ajv.ts';

const checks = Object.fromEntries(
  fieldTypeNames.map((type) => [type, compile(fieldTypes[type].schema)]),
) as Readonly<Record<FieldType, ReturnType<typeof compile>>>;

/** The faults of a value as one of a type; the rules of its field are not checked. */
export const typeFaults = (type: FieldType, value: unknown): readonly Fault[] => checks[type](value);
