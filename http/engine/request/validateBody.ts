import { escapePointer, type Fault } from '../../../kernel/fault.ts';
import { compile } from '../../../schemas/ajv.ts';
import { unsafeJsonFaults } from '../../../schemas/unsafeJson.ts';
import { invalid } from '../problems/problem.ts';
import type { Body } from './body.ts';

/** The members of a body that match its schema, and the names of the invalid ones. */
type Partition = Readonly<{ body: object; invalidMembers: ReadonlySet<string> }>;
type Check = (partition: Partition) => readonly Fault[] | Promise<readonly Fault[]>;

/**
 * Makes the validator of a schema: it gives a body without its absent members, as its handler gets it. Throws
 * 422 with every fault: those of the schema, and those that `check` finds in the members that match it.
 */
export const bodyValidator = (schema: object) => {
  const schemaFaults = compile(schema);
  return async ({ text, value }: Body, check: Check): Promise<unknown> => {
    const unsafe = unsafeJsonFaults(text);
    // Validators may recurse: they never get an unsafe body.
    if (unsafe.length > 0) throw invalid(unsafe);
    const body = withoutAbsent(schema, value);
    const faults = schemaFaults(body);
    const all = [...faults, ...(await check(partition(body, faults)))];
    if (all.length > 0) throw invalid(all);
    return body;
  };
};

const partition = (body: unknown, faults: readonly Fault[]): Partition => {
  const invalidMembers = new Set(faults.map(({ pointer }) => pointer.split('/')[1] ?? ''));
  const valid = Object.entries(Object(body)).filter(([name]) => !invalidMembers.has(escapePointer(name)));
  return { body: Object.fromEntries(valid), invalidMembers };
};

type Shape = Readonly<{
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
}>;

/** The body without optional members that are `null` or empty text: both mean absent. */
const withoutAbsent = (schema: object, body: unknown): unknown => {
  const { properties, required = [], items }: Shape = schema;
  if (Array.isArray(body)) return items ? body.map((item) => withoutAbsent(items, item)) : body;
  if (!properties || typeof body !== 'object' || body === null) return body;
  const members = Object.entries(body).flatMap(([name, value]) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (member === undefined) return [[name, value]];
    return !required.includes(name) && isAbsent(member, value) ? [] : [[name, withoutAbsent(member, value)]];
  });
  return Object.fromEntries(members);
};

const isAbsent = ({ type = [] }: Shape, value: unknown): boolean =>
  value === null || (value === '' && [type].flat().includes('string'));
