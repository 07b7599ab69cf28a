/** A fault of a value: its place (a JSON Pointer, '' for the whole) and what to correct. */
export type Fault = Readonly<{ pointer: string; detail: string }>;

/** The fault of a broken rule; none of a kept one. */
export const faultIf = (isBroken: boolean, pointer: string, detail: string): readonly Fault[] =>
  isBroken ? [{ pointer, detail }] : [];

/** The faults of a member's value as those of the whole; `parent` is the member's pointer. */
export const faultsUnder = (parent: string, faults: readonly Fault[]): readonly Fault[] =>
  faults.map(({ pointer, detail }) => ({ pointer: `${parent}${pointer}`, detail }));

/** A member's name as a part of a JSON Pointer (RFC 6901). */
export const escapePointer = (member: string): string => member.replaceAll('~', '~0').replaceAll('/', '~1');
