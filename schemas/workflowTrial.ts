import {
  ExtractedData,
  FieldConfidences,
  PageSize,
  ProcessingResult,
} from '../domain/submission/processingResult.ts';
import {
  anyObject,
  closed,
  example,
  MediaType,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  Share,
  Type,
  text,
} from '../kernel/schema.ts';
import { ChangeCompanyWorkflow } from './companyWorkflow.ts';
import { PageMediaType } from './filePages.ts';
import { ReviewReason } from './submissions.ts';

/** Of a document on trial, in bytes. */
export const MAX_TRIED = 8 * 1_024 ** 2;
/** Of the request with it: more than such a document takes, so that a larger one is refused by its name. */
export const MAX_TRIAL_BODY = 16 * 1_024 ** 2;

const Base64 = (description: string) =>
  Type.String({ contentEncoding: 'base64', description, examples: ['QUNNRSBUcmFkaW5nClRvdGFsIDgwLjkw'] });

/** A document, which is not kept. */
export const TrialFile = closed({
  mimeType: MediaType,
  content: meaning(
    Type.String({ minLength: 4, pattern: '^[A-Za-z0-9+/]+={0,2}$', contentEncoding: 'base64' }),
    `its bytes in base64, at most ${MAX_TRIED} of them, and no more than the definition accepts`,
    'QUNNRSBUcmFkaW5nClRvdGFsIDgwLjkw',
  ),
  fileName: optional(
    meaning(Type.String({ minLength: 1, maxLength: 255 }), 'the file’s own name', 'receipt.txt'),
  ),
});

/** `definitionProblems` checks the definition. */
export const TryWorkflow = closed({
  definition: anyObject('the workflow definition: a draft, or that of a published version'),
  settings: optional(
    meaning(
      ChangeCompanyWorkflow,
      'what a company sets of the workflow, or a draft of it: the document is judged by it',
    ),
  ),
  file: TrialFile,
});

/** What a submission of the document would become. */
export const TrialStatus = oneOf(['approved', 'review', 'failed', 'capture_quality_blocked']);

/** A page of the document as people see it. */
export const TrialPage = Type.Object({
  page: Type.Integer({ minimum: 1 }),
  size: nullable(
    meaning(PageSize, 'in the units of the boxes in `result`: pixels, or points of a PDF; null for text'),
  ),
  mediaType: meaning(PageMediaType, 'what `content` is'),
  content: Base64('the picture of the page, or its text in UTF-8, in base64'),
});

/** What was read of a document on trial (workflows-15). */
export const WorkflowTrial = Type.Object({
  submissionStatus: meaning(
    TrialStatus,
    'what a submission of the document would become, without the fraud checks',
    'review',
  ),
  failedReason: nullable(text('why the document could not be read, for people')),
  extractedData: nullable(ExtractedData),
  fieldConfidences: nullable(FieldConfidences),
  confidence: nullable(meaning(Share, 'the lowest confidence of a required value', 0.91)),
  certainty: nullable(meaning(Share, 'the share of the document that was understood', 0.94)),
  aiSummary: nullable(example(Type.String(), 'Company ACME Trading, Total 80.9; 2 of 2 fields found.')),
  reviewReasons: Type.Array(ReviewReason, { description: 'why it would go to review' }),
  result: nullable(ProcessingResult),
  pages: Type.Array(TrialPage, {
    maxItems: 5,
    description: 'the first page, and those where values or doubts are; none of what can’t be shown',
  }),
});
export type WorkflowTrial = Of<typeof WorkflowTrial>;
