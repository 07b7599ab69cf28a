import type { FingerprintedPage, SimilarPages } from '../domain/fraud/pages.ts';
import type { Box, PagePlace, Place } from '../domain/submission/processingResult.ts';
import type { Extraction } from '../domain/submission/result.ts';
import type { PictureQuality, Processing, WorkflowVersion } from '../domain/workflow.ts';
import type { PageDoubt } from './page.ts';

/**
 * A submitted file; `mimeType` is what the uploader declared, null for nothing. `content`: its bytes, or the
 * path of a local copy of a larger one.
 */
export type InputFile = Readonly<{
  fileId: string;
  label: string;
  mimeType: string | null;
  content: Uint8Array | string;
}>;

/** The fields of a published version. */
export type VersionFields = Pick<WorkflowVersion, 'outputSchema'> & Readonly<{ outputJsonSchema: object }>;

/** What processing needs of a published version. */
export type ProcessingVersion = VersionFields &
  Readonly<{
    acceptedFormats: readonly string[];
    extractor: Exclude<Processing['extractor'], object>;
    quality: PictureQuality;
    /** The day on which it is read, ISO 8601: dates far from it are doubted. */
    today: string;
    /** Fingerprints pictures; `alone`: nothing else is read, and an unreadable file is no failure. */
    fingerprints?: boolean | 'alone';
  }>;

/**
 * A value that is missing though required, or that breaks its field's schema; or what is wrong with a page.
 */
export type Finding =
  | Readonly<{ code: 'missing_required' | 'invalid_field'; field: string }>
  | Readonly<{ code: PageDoubt; field: null; place: PagePlace }>;

/** A word of a page, and the box around it. */
export type PlacedWord = Readonly<{ text: string; box: Box }>;

/** The words of a file's pages that have boxes, page by page from the first on. */
export type FileWords = Readonly<{ fileId: string; pages: readonly (readonly PlacedWord[])[] }>;

/**
 * `confidence` (0..1) is the probability that the weakest required value is right, which the review threshold
 * is compared with. `certainty` (0..1) is how much of the document was understood: its legibility times the
 * share of the fields that were found. A clear document without a date has a high confidence in the other
 * fields, and a low certainty.
 */
export type Extracted = Extraction &
  Readonly<{
    kind: 'extracted';
    confidence: number;
    certainty: number;
    findings: readonly Finding[];
    /** The fingerprinted pages of pictures; absent where the version has none made. */
    fingerprintedPages?: readonly FingerprintedPage[];
    /** Of the files that have words with boxes; absent where they were read elsewhere. */
    words?: readonly FileWords[];
  }>;

/** The outcome of reading files; `reason` says, for people, which file it is and what to correct. */
export type Outcome =
  | Extracted
  | Readonly<{ kind: 'failed'; reason: string }>
  | Readonly<{ kind: 'capture_quality_blocked'; reason: string }>;

/** The files are what they are declared to be, and of an accepted format. */
export type Checked = Readonly<{ kind: 'checked' }>;

/** A page of a file as people see it; `size` as in `Place`. */
export type ShownPage = Pick<Place, 'page' | 'size'>;

/** What a page of a file is shown as: a picture, or the text that it is. */
export type ShownAs = 'picture' | 'text';

/** The pages of a file. */
export type Pages = Readonly<{ kind: 'pages'; as: ShownAs; pages: readonly ShownPage[] }>;

/** A page of a file: a JPEG, or the bytes of its text in UTF-8. */
export type Drawn = Readonly<{ kind: 'drawn'; as: ShownAs; bytes: Uint8Array }>;

/** A file has no such page. */
export type NoPage = Readonly<{ kind: 'no_page' }>;

/** For each other submission, in order, the similar pages; `skipped` is how many pairs were not compared. */
export type Compared = Readonly<{
  kind: 'compared';
  similar: readonly (readonly SimilarPages[])[];
  skipped: number;
}>;

/**
 * What the models read on a page: its words, the mean confidence of their letters (0..1), and the time and
 * processor time that it took without the loading of the models, in ms.
 */
export type Timed = Readonly<{
  kind: 'timed';
  words: number;
  confidence: number;
  durationMs: number;
  cpuMs: number;
}>;
