import { statuses } from '../../domain/submission/transitions.ts';
import { closed, id, nullable, type Of, oneOf, Time, Type } from '../../kernel/schema.ts';

// The form of collections, which are kept for years: a version never changes.

/** What is signed: it names the list by its hash. */
export const INDEX = 'index.json';
/** The signature of the index. */
export const INDEX_SIGNATURE = 'index.sig';
/** The packages, one JSON text a line: so it is read and written without holding it. */
export const LIST = 'submissions.jsonl';

/** The file of a submission's package. */
export const packageName = (submissionId: string): string => `${submissionId}.zip`;

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Which submissions a collection has, as the list of submissions has them. */
export const CollectionFilter = closed({
  companyId: id('cmp'),
  mode: oneOf(['live', 'test']),
  workflow: nullable(Type.String({ maxLength: 64 })),
  status: nullable(oneOf(statuses)),
  /** Created at this time or later. */
  from: nullable(Time),
  /** Created before this time. */
  until: nullable(Time),
});
export type CollectionFilter = Of<typeof CollectionFilter>;

/** The index of a collection. */
export const Index = closed({
  format: Type.Literal('intake-evidence-collection'),
  version: Type.Literal(1),
  filter: CollectionFilter,
  /** When the submissions were listed, and the position of the log's last event then. */
  startedAt: Time,
  head: nullable(Type.String({ maxLength: 100 })),
  exportedAt: Time,
  service: Type.String({ maxLength: 100 }),
  key: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  count: Type.Integer({ minimum: 0 }),
  list: closed({ path: Type.Literal(LIST), size: Type.Integer({ minimum: 0 }), sha256: Hash }),
});
export type Index = Of<typeof Index>;

/** A submission of a collection with the status it had when it was listed. */
export type Listed = Readonly<{ submissionId: string; status: (typeof statuses)[number] }>;

/** A line of the list. `refused`: why there is no package. */
export type Entry = Listed &
  Readonly<{ file: string; sha256: string; refused: null } | { file: null; sha256: null; refused: string }>;
