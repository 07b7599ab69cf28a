import type { PictureQuality } from '../domain/pictureQuality.ts';
import type { Extraction } from '../domain/submission/events.ts';
import type { AlikePages, PageLikeness } from '../domain/submission/prints.ts';
import type { Processing, WorkflowVersion } from '../domain/workflow.ts';

/** A file of a submission as a local copy. `mimeType` is what the uploader said it is, null when nothing was said. */
export type InputFile = Readonly<{
  fileId: string;
  label: string;
  mimeType: string | null;
  path: string;
}>;

/** The fields that a published version asks for. */
export type Wanted = Pick<WorkflowVersion, 'outputSchema'> & Readonly<{ outputJsonSchema: object }>;

/** What processing needs to know of a published version. */
export type ProcessingVersion = Wanted &
  Readonly<{
    acceptedFormats: readonly string[];
    extractor: Exclude<Processing['extractor'], object>;
    quality: PictureQuality;
    /** Whether near duplicates of its pictures are looked for; not unless told. `alone`: nothing else is, so that nothing that is wrong with a file matters. */
    likeness?: boolean | 'alone';
  }>;

/** A value that is missing though required, or that breaks its field's schema. */
export type Finding = Readonly<{ code: 'missing_required' | 'invalid_field'; field: string }>;

/** A rectangle on a page, from its top left corner, in the units of its size: pixels of a picture as its uploader sees it, points of a PDF. */
export type Box = Readonly<{ left: number; top: number; right: number; bottom: number }>;

/** Where a value was read: the file, the page (from 1), that page's size and the box on it; these are null where there are none (text, JSON). */
export type Place = Readonly<{
  fileId: string;
  page: number;
  size: Readonly<{ width: number; height: number }> | null;
  box: Box | null;
}>;

/** What was read of one field, as `result` tells it. */
export type FieldResult = Readonly<{
  value: unknown;
  confidence: number;
  text: string | null;
  place: Place | null;
}>;

/**
 * `confidence` (0..1) is how likely the weakest of the required values is right: what a review threshold is about.
 * `certainty` (0..1) is how much of the document was understood, whatever the values: how legible it was, times the
 * share of the fields asked for that were found. A clear document without a date is certain to lack it: high
 * confidence in the rest, low certainty.
 */
export type Extracted = Extraction &
  Readonly<{
    kind: 'extracted';
    confidence: number;
    certainty: number;
    result: Readonly<{ fields: Readonly<Record<string, FieldResult>>; pages: number }>;
    findings: readonly Finding[];
    /** What near duplicates of the pictures are found by; absent unless asked for. */
    likeness?: readonly PageLikeness[];
  }>;

/** How processing of a submission's files ended. `reason` tells a person which file it is and what to mend. */
export type Outcome =
  | Extracted
  | Readonly<{ kind: 'failed'; reason: string }>
  | Readonly<{ kind: 'capture_quality_blocked'; reason: string }>;

/** How a look at files ended that are to be read elsewhere: they are what they say. */
export type Checked = Readonly<{ kind: 'checked' }>;

/** How a comparison of a submission's pages with those of others ended: for each of these, in their order, the pages that are alike; `left` is how many pairs of pages could not be compared. */
export type Compared = Readonly<{
  kind: 'compared';
  alike: readonly (readonly AlikePages[])[];
  left: number;
}>;
