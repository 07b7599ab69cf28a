import type { FingerprintedPage, SimilarPages } from '../domain/fraud/pages.ts';
import type { Extraction } from '../domain/submission/result.ts';
import type { PictureQuality, Processing, WorkflowVersion } from '../domain/workflow.ts';

/**
 * A local copy of a submitted file. `mimeType` is what the uploader declared, null where nothing was
 * declared.
 */
export type InputFile = Readonly<{
  fileId: string;
  label: string;
  mimeType: string | null;
  path: string;
}>;

/** The fields of a published version. */
export type Wanted = Pick<WorkflowVersion, 'outputSchema'> & Readonly<{ outputJsonSchema: object }>;

/** What processing needs of a published version. */
export type ProcessingVersion = Wanted &
  Readonly<{
    acceptedFormats: readonly string[];
    extractor: Exclude<Processing['extractor'], object>;
    quality: PictureQuality;
    /**
     * Whether pages of pictures are fingerprinted. `alone`: nothing else is read, and a file that can't be
     * read is no failure.
     */
    fingerprints?: boolean | 'alone';
  }>;

/** A value that is missing though required, or that breaks its field's schema. */
export type Finding = Readonly<{ code: 'missing_required' | 'invalid_field'; field: string }>;

/**
 * A rectangle on a page, from its top left corner, in the units of its size: pixels of a picture as its
 * uploader sees it, points of a PDF.
 */
export type Box = Readonly<{ left: number; top: number; right: number; bottom: number }>;

/**
 * Where a value was read: the file, the page (from 1), that page's size and the box on it; these are null
 * where there are none (text, JSON).
 */
export type Place = Readonly<{
  fileId: string;
  page: number;
  size: Readonly<{ width: number; height: number }> | null;
  box: Box | null;
}>;

/** What was read of one field, as in `result`. */
export type FieldResult = Readonly<{
  value: unknown;
  confidence: number;
  text: string | null;
  place: Place | null;
}>;

/**
 * `confidence` (0..1) is how likely the weakest of the required values is right: what a review threshold is
 * about. `certainty` (0..1) is how much of the document was understood, whatever the values: how legible it
 * was, times the share of the fields asked for that were found. A clear document without a date is certain to
 * lack it: high confidence in the rest, low certainty.
 */
export type Extracted = Extraction &
  Readonly<{
    kind: 'extracted';
    confidence: number;
    certainty: number;
    result: Readonly<{ fields: Readonly<Record<string, FieldResult>>; pages: number }>;
    findings: readonly Finding[];
    /** The fingerprinted pages of pictures; absent where the version has none made. */
    fingerprintedPages?: readonly FingerprintedPage[];
  }>;

/**
 * The outcome of processing a submission's files. `reason` says, for people, which file it is and what to
 * correct.
 */
export type Outcome =
  | Extracted
  | Readonly<{ kind: 'failed'; reason: string }>
  | Readonly<{ kind: 'capture_quality_blocked'; reason: string }>;

/** The files are what they are declared to be, and of an accepted format. */
export type Checked = Readonly<{ kind: 'checked' }>;

/**
 * The result of comparing a submission's pages with those of others: for each of these, in their order, the
 * similar pages; `skipped` is how many pairs of pages were not compared.
 */
export type Compared = Readonly<{
  kind: 'compared';
  similar: readonly (readonly SimilarPages[])[];
  skipped: number;
}>;
