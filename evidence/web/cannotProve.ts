import { LIMITS } from '../verify/cannotProve.ts';

/** What no check in a browser can prove, for people. */
export const cannotProve: readonly string[] = [
  ...LIMITS,
  'that state.json follows from the events: it is as it was signed, and `intake audit verify` derives it again.',
];
