/** What is wrong with a value: where (a JSON Pointer, '' for the whole) and what to mend. */
export type Fault = Readonly<{ pointer: string; detail: string }>;

/** A member's name as a part of a JSON Pointer (RFC 6901). */
export const escapePointer = (member: string): string => member.replaceAll('~', '~0').replaceAll('/', '~1');
