import type { WorkflowDefinition } from '../../../schemas/workflowDefinition.ts';
import { member } from '../../app/members.ts';
import { texts } from '../../texts.ts';

const own = texts.workflows;

export type Field = WorkflowDefinition['outputSchema'][number];

/** Something that a definition says, in words; `key` is its place, the same in every version. */
export type Line = Readonly<{ key: string; label: string; text: string }>;

/**
 * What a version says that another does not: `label` and, of fields, `field` name it; null where it says
 * nothing.
 */
export type Change = Readonly<{
  kind: 'added' | 'removed' | 'changed';
  field: string | null;
  label: string;
  before: string | null;
  after: string | null;
}>;

/** The word of a value of a definition; the value itself where it has none. */
export const wordOf = (value: unknown): string => {
  const words: Readonly<Record<string, string>> = own.words;
  if (Array.isArray(value)) return value.map(wordOf).join(', ');
  if (isColumn(value)) return `${value.label ?? value.name} (${wordOf(value.type)})`;
  return member(words, String(value)) ?? String(value);
};

type Column = NonNullable<Field['columns']>[number];

const isColumn = (value: unknown): value is Column => isGroup(value) && 'name' in value && 'type' in value;

/** The label of a place in a definition, such as `upload.minFiles`. */
export const labelOf = (key: string): string => {
  const labels: Readonly<Record<string, string>> = own.rules;
  return member(labels, key) ?? key;
};

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const flat = (value: object, place: string): readonly Line[] =>
  Object.entries(value).flatMap(([name, member]): readonly Line[] => {
    const key = place === '' ? name : `${place}.${name}`;
    if (isGroup(member)) return flat(member, key);
    const isNothing =
      member === null || member === undefined || (Array.isArray(member) && member.length === 0);
    return isNothing ? [] : [{ key, label: labelOf(key), text: wordOf(member) }];
  });

/** All that a definition says beside its fields. */
export const ruleLines = ({ slug: _, outputSchema: __, ...rules }: WorkflowDefinition): readonly Line[] =>
  flat(rules, '');

/** All that it says of a field. */
export const fieldLines = ({ name: _, ...field }: Field): readonly Line[] => flat(field, 'field');

/** What people call a field. */
export const nameOf = ({ name, label }: Field): string => label ?? name;

/** Lines of two versions beside each other, in the order of the second; null where a version has none. */
export const paired = (before: readonly Line[], after: readonly Line[]) => {
  const gone = before.filter(({ key }) => after.every((line) => line.key !== key));
  return [...after, ...gone].map(({ key, label }) => ({
    key,
    label,
    before: before.find((line) => line.key === key)?.text ?? null,
    after: after.find((line) => line.key === key)?.text ?? null,
  }));
};

const kindOf = (before: string | null, after: string | null): Change['kind'] =>
  before === null ? 'added' : after === null ? 'removed' : 'changed';

const lineChanges = (
  before: readonly Line[],
  after: readonly Line[],
  field: string | null,
): readonly Change[] =>
  paired(before, after)
    .filter((line) => line.before !== line.after)
    .map((line) => ({ kind: kindOf(line.before, line.after), field, ...line }));

/** What changes from a definition to another, in words: its fields first, by their names. */
export const changesOf = (before: WorkflowDefinition, after: WorkflowDefinition): readonly Change[] => {
  const all = [...after.outputSchema, ...before.outputSchema];
  const names = [...new Set(all.map(({ name }) => name))];
  const ofField = (name: string): readonly Change[] => {
    const [old, now] = [before, after].map(({ outputSchema }) =>
      outputSchema.find((one) => one.name === name),
    );
    if (old && now) return lineChanges(fieldLines(old), fieldLines(now), nameOf(now));
    const field = nameOf((now ?? old) as Field);
    return [{ kind: now ? 'added' : 'removed', field, label: own.aField, before: null, after: null }];
  };
  const order = [before, after].map(({ outputSchema }) =>
    outputSchema.map(({ name }) => name).filter((name) => [before, after].every((one) => has(one, name))),
  );
  const isMoved = order[0]?.join() !== order[1]?.join();
  return [
    ...names.flatMap(ofField),
    ...(isMoved
      ? [{ kind: 'changed', field: null, label: own.order, before: null, after: null } as const]
      : []),
    ...lineChanges(ruleLines(before), ruleLines(after), null),
  ];
};

const has = ({ outputSchema }: WorkflowDefinition, wanted: string): boolean =>
  outputSchema.some(({ name }) => name === wanted);
