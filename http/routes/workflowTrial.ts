import { declaredFaults } from '../../domain/slots.ts';
import type { Result } from '../../domain/submission/result.ts';
import type { WorkflowDefinition as CompleteDefinition } from '../../domain/workflow.ts';
import { noWorkflowSettings, type Reviewing, withSettings } from '../../domain/workflowSettings.ts';
import { type Fault, faultsUnder } from '../../kernel/fault.ts';
import type { workflowQueries } from '../../projections/workflows.ts';
import { unknownFields } from '../../schemas/companyWorkflow.ts';
import { definitionProblems } from '../../schemas/definitionProblems.ts';
import { type WorkflowDefinition, withDefaults } from '../../schemas/workflowDefinition.ts';
import { MAX_TRIAL_BODY, MAX_TRIED, TryWorkflow, WorkflowTrial } from '../../schemas/workflowTrial.ts';
import { invalid, Problem } from '../engine/problems/problem.ts';
import { type Route, route } from '../engine/route.ts';

type Page = Readonly<{
  page: number;
  size: Readonly<{ width: number; height: number }> | null;
  as: 'picture' | 'text';
  bytes: Uint8Array;
}>;

type Trial =
  | Readonly<{ kind: 'tried'; result: Result; pages: readonly Page[] }>
  | Readonly<{ kind: 'refused'; reason: string }>
  | Readonly<{ kind: 'busy'; isLate: boolean }>;

type TrialPorts = Readonly<{
  find: ReturnType<typeof workflowQueries>['find'];
  /** Reads a file by a definition and keeps nothing of it. */
  tryFile(
    definition: CompleteDefinition & Readonly<{ processing: Reviewing }>,
    file: Readonly<{ fileId: string; fileName: string | null; mimeType: string; content: Uint8Array }>,
    gone: AbortSignal,
  ): Promise<Trial>;
}>;

/**
 * Reads one document by a definition (workflows-15). Not below /api/v1: a repeated POST there is answered
 * from what is stored of the first, and of a trial nothing is.
 */
export const workflowTrialRoutes = ({ find, tryFile }: TrialPorts): readonly Route[] => [
  route({
    name: 'tryWorkflow',
    summary: 'Read one document by a workflow definition, and keep nothing of it',
    description: `Publishes nothing and makes no submission. The definition is a draft or that of a published version; people of a company try definitions of its own workflows. With \`settings\` it is judged as submissions of a company that has them. A body takes up to ${MAX_TRIAL_BODY / 1_024 ** 2} MiB. Few are read at once, behind all submissions: 503 where all are taken.`,
    method: 'POST',
    path: '/api/internal/workflow-trials',
    access: 'workflows.try',
    body: TryWorkflow,
    maxBody: MAX_TRIAL_BODY,
    answers: { 200: WorkflowTrial },
  })({
    check: async ({ caller: { companyId }, body: { definition, settings = {}, file } }) => {
      if (definition === undefined) return [];
      const faults = faultsUnder('/definition', definitionProblems(definition));
      if (faults.length > 0) return faults;
      const complete = withDefaults(definition as unknown as WorkflowDefinition);
      const isOwn = companyId === null || (await find(companyId, complete.slug)) !== null;
      return [
        ...faultsUnder('/settings', unknownFields(settings, complete.outputSchema)),
        ...(isOwn ? [] : [fault('/definition/slug', 'must be that of a workflow of the company')]),
        ...(typeof complete.processing.extractor === 'object' ? [ELSEWHERE] : []),
        ...(file === undefined ? [] : fileFaults(complete, file)),
      ];
    },
    run: async ({ body: { definition, settings, file }, reserved, client }) => {
      const { mimeType, fileName = null } = file;
      const complete = withDefaults(definition as unknown as WorkflowDefinition);
      const tried = await tryFile(
        withSettings(complete, { ...noWorkflowSettings, ...settings }),
        { fileId: `fil_${reserved.ulid}`, fileName, mimeType, content: Buffer.from(file.content, 'base64') },
        client().gone,
      );
      if (tried.kind === 'busy') throw busy(tried.isLate);
      if (tried.kind === 'refused') throw invalid([fault('/file/content', tried.reason)]);
      return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: answerOf(tried) };
    },
  }),
];

const fault = (pointer: string, detail: string): Fault => ({ pointer, detail });

const ELSEWHERE = fault(
  '/definition/processing/extractor',
  'must be `document` or `json`: nothing is sent to a server on trial',
);

/** Where a fault of a declared file is in the body. */
const MEMBERS: Readonly<Record<string, string>> = {
  '/files/0/mimeType': '/file/mimeType',
  '/files/0/fileSize': '/file/content',
};

const fileFaults = (
  { upload }: CompleteDefinition,
  { mimeType, content }: Readonly<{ mimeType: string; content: string }>,
): readonly Fault[] => {
  const fileSize = Buffer.byteLength(content, 'base64');
  const tooLarge = fault('/file/content', `must be at most ${MAX_TRIED} bytes, not ${fileSize}`);
  const declared = declaredFaults({ ...upload, minFiles: 0 }, [{ mimeType, fileSize }], null);
  return [
    ...(fileSize > MAX_TRIED ? [tooLarge] : []),
    ...declared.map(({ pointer, detail }) => fault(MEMBERS[pointer] ?? '/file', detail)),
  ];
};

const busy = (isLate: boolean): Problem =>
  new Problem(
    'unavailable',
    isLate
      ? 'The document was not read within a minute: try one with fewer pages, or this one later.'
      : 'Other documents are being read on trial: try again later.',
    { headers: { 'Retry-After': '10' } },
  );

const MEDIA = { picture: 'image/jpeg', text: 'text/plain' } as const;

const answerOf = ({ result, pages }: Extract<Trial, { kind: 'tried' }>): WorkflowTrial => {
  const shown = pages.map(({ page, size, as, bytes }) => ({
    ...{ page, size, mediaType: MEDIA[as] },
    content: Buffer.from(bytes).toString('base64'),
  }));
  if (result.kind !== 'extracted')
    return { ...NOTHING, submissionStatus: result.kind, failedReason: result.reason, pages: shown };
  const { extraction, confidence, certainty, reviewReasons } = result;
  const submissionStatus = reviewReasons.length > 0 ? 'review' : 'approved';
  return {
    ...{ submissionStatus, failedReason: null, confidence, certainty, pages: shown },
    ...extraction,
    reviewReasons: [...reviewReasons],
    result: { ...extraction.result, files: [...extraction.result.files] },
  };
};

const NOTHING = {
  ...{ extractedData: null, fieldConfidences: null, confidence: null, certainty: null },
  ...{ aiSummary: null, result: null, reviewReasons: [] },
};
