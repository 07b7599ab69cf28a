import type { Of, TSchema } from '../../kernel/schema.ts';

export type Example = readonly [schema: TSchema, value: unknown];

/** An example of a schema. The types check its members, a test checks its rules. */
export const example = <S extends TSchema>(schema: S, value: Of<S>): Example => [schema, value];

const ULID = '01hv6x3m8q2r5t7w9y0a1b2c3d';

/** The identifiers in all examples, which are about one receipt sent by ACME. */
export const ids = {
  workflow: `wf_${ULID}`,
  company: 'cmp_01hv6wz0c4e6g8j0k2m4n6p8r0',
  key: 'key_01hv6wzr5t7v9x1z3b5d7f9h1k',
  session: `ses_${ULID}`,
  submission: `sub_${ULID}`,
  earlier: 'sub_01hv5p9k3m5q7s9v1x3z5b7d9f',
  file: 'fil_01hv6x3m8q4g6j8m0p2r4t6w8y',
  match: 'fm_01hv6x3p1r3t5w7y9a1c3e5g7j',
  user: 'usr_01hv6w0a2c4e6g8j0m2p4r6t8w',
  event: '018fd5c2-71f4-7a3b-9d0e-5b1c2d3e4f50',
} as const;

export const times = {
  opened: '2026-11-21T10:46:00.000Z',
  processed: '2026-11-21T10:46:07.412Z',
  claimed: '2026-11-21T11:02:00.000Z',
  decided: '2026-11-21T11:02:31.090Z',
  expires: '2026-11-22T10:46:00.000Z',
} as const;

export const receipt = { slug: 'receipt', version: 3 } as const;

export const wholePage = { hasMore: false, nextCursor: null } as const;
