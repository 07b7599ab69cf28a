import type { Submission } from '../../domain/submission/state.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import { FilePages, PageContent, PageWords } from '../../schemas/filePages.ts';
import { fileId, pageNumber, pictureWidth, submissionId } from '../../schemas/parameters.ts';
import { Problem } from '../engine/problems/problem.ts';
import { contentTag } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { type SubmissionRequest, visibleDocument } from './caller.ts';

type File = Submission['files'][number];
type ShownAs = 'picture' | 'text';
type Size = Readonly<{ width: number; height: number }>;
type NotShown = Readonly<{ kind: 'not_shown'; reason: string }>;
type Listed = Readonly<{
  kind: 'pages';
  as: ShownAs;
  pages: readonly Readonly<{ page: number; size: Size | null }>[];
}>;
type Drawn = Readonly<{ kind: 'drawn'; as: ShownAs; bytes: Uint8Array }>;

type FilePagePorts = Readonly<{
  find(submissionId: string): Promise<SubmissionDocument | null>;
  /**
   * Shows submitted files, bounded in time, memory and number; each refusal has its reason, for people. What
   * waits for a client that has gone is not begun.
   */
  filePages: Readonly<{
    list(submission: Submission, file: File, gone: AbortSignal): Promise<Listed | NotShown>;
    draw(
      submission: Submission,
      file: File,
      page: number,
      width: number,
      gone: AbortSignal,
    ): Promise<Drawn | NotShown | Readonly<{ kind: 'no_page' }>>;
  }>;
  /** The words that were kept of a page, none where none were; null where its file has no such page. */
  wordsOn(submission: Submission, fileId: string, page: number): Promise<PageWords['words'] | null>;
}>;

type FileRequest = SubmissionRequest & Readonly<{ parameters: Readonly<{ fileId: string }> }>;

/** Raise it when the same file is drawn otherwise: browsers then ask anew. */
const DRAWING = 1;

const MEDIA = { picture: 'image/jpeg', text: 'text/plain' } as const;
const TEXT = 'text/plain; charset=utf-8';

/** Whatever a file holds, nothing in it runs, and it is kept for nobody else. */
const SHOWN = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
} as const;

const PATH = '/api/v1/submissions/{submissionId}/files/{fileId}/pages';

/**
 * The pages of submitted files, for people (file-pages-1), and the words that were read on them (words-1).
 */
export const filePageRoutes = ({ find, filePages, wordsOn }: FilePagePorts): readonly Route[] => {
  const visible = visibleDocument(find);
  const findFile = async (request: FileRequest) => {
    const submission = (await visible(request))?.submission;
    const file = submission?.files.find((one) => one.fileId === request.parameters.fileId);
    return submission && file ? { submission, file } : null;
  };
  return [
    route({
      name: 'listFilePages',
      summary: 'List the pages of a submitted file, with their sizes',
      description:
        'Sizes are in the units of the boxes in `result`, so that a box can be drawn on the picture of its page. Text and JSON are one page.',
      method: 'GET',
      path: PATH,
      access: 'submissions.read',
      parameters: { submissionId, fileId },
      answers: { 200: FilePages },
      headers: ['ETag'],
      refusals: ['page-not-drawable', 'rate-limited'],
    })({
      find: findFile,
      run: async ({ found: { submission, file }, client }) => {
        const { has, gone } = client();
        const tag = contentTag('pages', DRAWING, submission.routing.submissionId, file.fileId, file.etag);
        const answer = { status: 200, headers: { ...tag, 'Cache-Control': SHOWN['Cache-Control'] } } as const;
        if (has(tag.ETag)) return { ...answer, body: UNSENT };
        const listed = shown(await filePages.list(submission, file, gone));
        return { ...answer, body: { mediaType: MEDIA[listed.as], pages: listed.pages } };
      },
    }),
    route({
      name: 'getFilePage',
      summary: 'Get a page of a submitted file as a picture, or as the text that it is',
      description:
        'A JPEG that was made anew: turned as its uploader sees it, without metadata. A picture is never enlarged, a PDF is drawn at the width that is asked for. Markup is sent as plain text. The download of the file is its `downloadUrl`.',
      method: 'GET',
      path: `${PATH}/{page}`,
      access: 'submissions.read',
      parameters: { submissionId, fileId, page: pageNumber },
      query: { width: pictureWidth },
      answers: { 200: PageContent },
      media: ['image/jpeg', TEXT],
      headers: ['ETag'],
      refusals: ['page-not-drawable', 'rate-limited'],
    })({
      find: findFile,
      run: async ({ found: { submission, file }, parameters: { page }, query: { width }, client }) => {
        const { has, gone } = client();
        const { submissionId } = submission.routing;
        const tag = contentTag('page', DRAWING, submissionId, file.fileId, file.etag, page, width);
        const answer = { status: 200, headers: { ...tag, ...SHOWN } } as const;
        if (has(tag.ETag)) return { ...answer, body: UNSENT };
        const drawn = shown(await filePages.draw(submission, file, page, width, gone));
        if (drawn.kind === 'no_page') throw new Problem('not-found');
        return {
          ...answer,
          media: drawn.as === 'text' ? TEXT : MEDIA.picture,
          body: Buffer.from(drawn.bytes),
        };
      },
    }),
    route({
      name: 'listPageWords',
      summary: 'List the words that were read on a page of a submitted file',
      description:
        'Each with the box around it, in the units of the boxes in `result`, line by line. Empty where no words with boxes were kept: text and JSON have no boxes, and a workflow’s own extractor gives no words.',
      method: 'GET',
      path: `${PATH}/{page}/words`,
      access: 'submissions.read',
      parameters: { submissionId, fileId, page: pageNumber },
      answers: { 200: PageWords },
      headers: ['ETag'],
    })({
      find: findFile,
      run: async ({ found: { submission, file }, parameters: { page } }) => {
        const words = await wordsOn(submission, file.fileId, page);
        if (words === null) throw new Problem('not-found');
        const { submissionId } = submission.routing;
        const tag = contentTag('words', submissionId, file.fileId, page, JSON.stringify(words));
        const headers = { ...tag, 'Cache-Control': SHOWN['Cache-Control'] };
        return { status: 200, headers, body: { words } };
      },
    }),
  ];
};

/** The body of a 304. */
const UNSENT = Buffer.alloc(0);

/** Throws 422 with the reason why it is not shown. */
const shown = <T extends Readonly<{ kind: string }>>(result: T | NotShown): T => {
  if ('reason' in result && result.kind === 'not_shown')
    throw new Problem('page-not-drawable', result.reason);
  return result as T;
};
