import type { Fault } from '../../../../client/api.ts';
import { placeIn, type Unchecked } from '../faults.tsx';
import { FIELDS, fieldsOf, LIST } from './fields.ts';
import { groupsOf, pointerOf } from './settings.ts';

/** What the controls of the form have in common. */
export type Editing = Readonly<{
  definition: Unchecked;
  /**
   * Another definition. `pointer`: all that changed of it, whose faults are judged anew; null: places of
   * faults are no longer right.
   */
  change(next: Unchecked, pointer: string | null): void;
  /** What is wrong with what a control is for; null for nothing. */
  faultAt(pointer: string): string | null;
}>;

const MEMBERS = ['name', 'label', 'type', 'required', 'description'];
const RULES = ['pattern', 'minLength', 'maxLength'].map((name) => `validation/${name}`);

/** What a row of a field leaves to its details. */
export const DETAILS = ['description', ...RULES];

const controlsOf = (definition: Unchecked, isNew: boolean): readonly string[] => [
  ...[FIELDS, LIST],
  ...fieldsOf(definition).flatMap((_, index) =>
    [...MEMBERS, ...RULES].map((name) => `${FIELDS}/${index}/${name}`),
  ),
  ...groupsOf(definition, isNew).flatMap(({ settings }) => settings.map(pointerOf)),
];

/** Whether a place is another one, or within it. */
export const isWithin = (place: string, other: string): boolean => `${place}/`.startsWith(`${other}/`);

/** The control that each fault is about, by its pointer; empty for a fault of none. */
export const placed = (definition: Unchecked, isNew: boolean, faults: readonly Fault[]) => {
  const controls = controlsOf(definition, isNew).toSorted((one, other) => other.length - one.length);
  return faults.map((fault) => {
    const place = placeIn(fault);
    return { place, detail: fault.detail, control: controls.find((at) => isWithin(place, at)) ?? '' };
  });
};
