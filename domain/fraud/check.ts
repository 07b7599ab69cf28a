import { closed, type Of, Type } from '../../kernel/schema.ts';
import type { OutputField } from '../workflow.ts';
import type { FingerprintedPage, SimilarPages } from './pages.ts';

/** A file as a match names it. */
export const NamedFile = closed({ fileId: Type.String(), label: Type.String() });
export type NamedFile = Of<typeof NamedFile>;

/** A file and the SHA-256 (hex) of its bytes. */
export type HashedFile = NamedFile & Readonly<{ sha256: string }>;

/** What a check may take from a submission. */
export type Material = Readonly<{
  /** The API key that opened the session. */
  keyId: string;
  outputSchema: readonly OutputField[];
  businessKey: readonly string[];
  files: readonly HashedFile[];
  data: Readonly<Record<string, unknown>>;
  pages: readonly FingerprintedPage[];
}>;

/** What a check finds a submission by, in clear text; `files` is empty where it is not about files. */
export type Trait = Readonly<{ text: string; files: readonly NamedFile[] }>;

/** Two files with the same trait. */
export type FilePair = Readonly<{
  fileId: string;
  label: string;
  matchedFileId: string;
  matchedLabel: string;
}>;

type Details = Readonly<Record<string, unknown>>;

/** Each earlier submission with the same trait is a match. */
type MatchByTrait = Readonly<{
  by: 'trait';
  details(pairs: readonly FilePair[], businessKey: readonly string[]): Details;
}>;

/** Earlier submissions with the same traits are candidates; those with similar pages are matches. */
type MatchByPages = Readonly<{
  by: 'pages';
  /** What a match by these pages weighs, at least the check's `score`. */
  scoreOf(pages: SimilarPages): number;
}>;

/** A fraud check: what it takes from a submission, how it matches and what a match weighs. */
export type FraudCheck<Type extends string = string> = Readonly<{
  /** Its name in workflow definitions, matches and stored events: permanent. */
  type: Type;
  /** Its row of the table in docs/workflows.md. */
  docs: Readonly<{ matches: string; score: string; result: string }>;
  /** What asks for it in an instruction to the workflow agent. */
  phrases: RegExp;
  /** Whether a version that names it must have a business key. */
  needsBusinessKey: boolean;
  traits(material: Material): readonly Trait[];
  /** How many hexadecimal digits of a trait's HMAC are stored, at most 64. */
  digits: number;
  /** What a match weighs, from 0 to 1; the least where that depends on the pages. */
  score: number;
  match: MatchByTrait | MatchByPages;
}>;
