import type { OpenedSession, openedSession, openSession } from '../../commands/openSession.ts';
import type { RenewedUploads, renewUploads } from '../../commands/renewUploads.ts';
import type { submitSession } from '../../commands/submitSession.ts';
import { declaredFaults } from '../../domain/slots.ts';
import { forcedFaults } from '../../domain/submission/forced.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { submissionIdOf } from '../../domain/submission/submission.ts';
import type { Fault } from '../../kernel/fault.ts';
import { jobOf, webhookEventOf } from '../../projections/submissionAnswers.ts';
import type { readYourWrites } from '../../projections/submissionFromLog.ts';
import type { WorkflowDocument, workflowQueries } from '../../projections/workflows.ts';
import { sessionId, slug } from '../../schemas/parameters.ts';
import { sessionFaults } from '../../schemas/sessionRules.ts';
import { FreshUploads, Job, NoMembers, SessionCreated, SessionRequest } from '../../schemas/sessions.ts';
import type { LoadedStream } from '../../stores/events/log.ts';
import type { KeyCaller } from '../engine/access/caller.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext } from './caller.ts';
import { type JobPorts, jobRoute, RETRY_AFTER } from './jobs.ts';
import { sessionCreated } from './present.ts';

type SessionPorts = JobPorts &
  Readonly<{
    workflows: ReturnType<typeof workflowQueries>;
    openSession: ReturnType<typeof openSession>;
    openedSession: ReturnType<typeof openedSession>;
    submitSession: ReturnType<typeof submitSession>;
    renewUploads: ReturnType<typeof renewUploads>;
    readYourWrites: ReturnType<typeof readYourWrites>;
    /** What the log answers all the same could not be read. */
    failed(error: unknown): void;
    /** The submission as the log has it, and its stream. */
    load(submissionId: string): Promise<Readonly<{ state: Submission | null; stream: LoadedStream }>>;
  }>;

/** Upload sessions and their jobs. */
export const sessionRoutes = (ports: SessionPorts): readonly Route[] => [
  route({
    name: 'createSession',
    summary: 'Open an upload session with an address for each file',
    description:
      'Without `files` there is an address for each slot of the version; unused ones are ignored. Each accepts a file of up to the version’s `maxFileSizeMb`. Send the file’s media type as `Content-Type`: without it the type is detected from the bytes. With `files` there is an address for each, with its type, size and SHA-256 signed into it: the store refuses anything else. A declared file over 104857600 bytes is sent in `parts`, each by a PUT to an address of its own. The session keeps its version, whatever is published later.',
    method: 'POST',
    path: '/api/v1/workflows/{slug}/sessions',
    access: 'sessions.use',
    parameters: { slug },
    body: SessionRequest,
    answers: { 201: SessionCreated },
    headers: ['Location'],
  })({
    find: ({ caller, parameters }) => ports.workflows.find(caller.companyId, parameters.slug),
    check: async (request) => [...sessionFaults(request.body), ...(await versionFaults(ports, request))],
    replay: async ({ reserved }) => {
      const opened = await ports.openedSession(`sub_${reserved.ulid}`);
      return opened && createdAnswer(opened);
    },
    run: async (request) => {
      const { caller, found, body, reserved } = request;
      const version = await chosenVersion(ports, found, body.version);
      if (version === null) throw new Error('a published version has gone since it was checked');
      const submissionId = `sub_${reserved.ulid}`;
      const { companyId, mode, keyId } = caller;
      const input = { ...body, submissionId, companyId, mode, keyId, version };
      return createdAnswer(await ports.openSession(input, commandContext(request)));
    },
  }),
  route({
    name: 'submitSession',
    summary: 'Submit a session whose files have been uploaded',
    description:
      'Every uploaded file is checked in the store. A 422 names each that the version does not accept, or whose bytes are not of its declared type, or of which parts are missing. Later uploads have no effect. A session that was already submitted is answered with its current job.',
    method: 'POST',
    path: '/api/v1/workflows/{slug}/sessions/{sessionId}/submit',
    access: 'sessions.use',
    parameters: { slug, sessionId },
    body: NoMembers,
    answers: { 202: Job },
    headers: ['Retry-After'],
    refusals: ['session-ended'],
  })({
    find: (request) => ownSession(ports, request),
    run: async (request) => {
      const { found } = request;
      const { submissionId, workflow } = found.state.routing;
      const version = await ports.workflows.kept(workflow);
      const context = commandContext(request);
      const { position, revision } = await ports.submitSession(submissionId, version, context, found.stream);
      const document = await ports.readYourWrites({ submissionId, position, revision });
      const status = await ports.deliveryStatus(webhookEventOf(document)).catch((error) => {
        ports.failed(error); // it was submitted all the same
        return 'pending' as const;
      });
      const body = jobOf(document, status);
      return { status: 202, headers: RETRY_AFTER, body };
    },
  }),
  route({
    name: 'renewUploads',
    summary: 'Get new upload addresses for a pending session',
    description:
      'They are for the same files as the earlier ones, and are valid as long as the session. Of a file that is sent in parts they tell which ones the store has: send the others.',
    method: 'POST',
    path: '/api/v1/workflows/{slug}/sessions/{sessionId}/uploads',
    access: 'sessions.use',
    parameters: { slug, sessionId },
    body: NoMembers,
    answers: { 200: FreshUploads },
    refusals: ['session-ended', 'session-submitted'],
  })({
    find: (request) => ownSession(ports, request),
    replay: async ({ parameters }, answered) => {
      const { sessionId: id } = parameters;
      const opened = answered ? await ports.openedSession(submissionIdOf(id)) : null;
      return opened && { status: 200, body: renewed(id, opened) };
    },
    run: async (request) => {
      const { state, stream } = request.found;
      const uploads = await ports.renewUploads(state.routing.submissionId, commandContext(request), stream);
      return { status: 200, body: renewed(request.parameters.sessionId, uploads) };
    },
  }),
  jobRoute(ports),
];

type OwnSessionRequest = Readonly<{
  caller: KeyCaller;
  parameters: Readonly<{ slug: string; sessionId: string }>;
}>;

/** The key's own session, at the path of its own workflow. */
const ownSession = async (
  { load }: SessionPorts,
  { caller, parameters }: OwnSessionRequest,
): Promise<Readonly<{ state: Submission; stream: LoadedStream }> | null> => {
  const { state, stream } = await load(submissionIdOf(parameters.sessionId));
  const isOwn = state?.routing.keyId === caller.keyId && state.routing.workflow.slug === parameters.slug;
  return isOwn ? { state, stream } : null;
};

const chosenVersion = async (
  { workflows }: SessionPorts,
  newest: WorkflowDocument,
  version: number | undefined,
): Promise<WorkflowDocument | null> =>
  version === undefined || version === newest.version ? newest : workflows.version(newest.slug, version);

type VersionRequest = Readonly<{
  caller: KeyCaller;
  found: WorkflowDocument;
  body: Partial<SessionRequest>;
  invalidMembers: ReadonlySet<string>;
}>;

/**
 * Faults that depend on the version: that it is unknown, does not accept files, can't have a forced outcome.
 */
const versionFaults = async (
  ports: SessionPorts,
  { caller, found, body, invalidMembers }: VersionRequest,
): Promise<readonly Fault[]> => {
  if (invalidMembers.has('version')) return [];
  const version = await chosenVersion(ports, found, body.version);
  if (version === null)
    return [{ pointer: '/version', detail: `is not a published version; the newest is ${found.version}` }];
  return [
    ...(body.files ? declaredFaults(version.upload, body.files, body.uploadMethod ?? null) : []),
    ...forcedFaults(caller.mode, body.metadata, version.processing.fraud.requireResolution),
  ];
};

const createdAnswer = (opened: OpenedSession) =>
  ({
    status: 201,
    headers: { Location: `/api/v1/jobs/${opened.sessionId}` },
    position: opened.position,
    body: sessionCreated(opened),
  }) as const;

const renewed = (sessionId: string, { uploads, expiresAt }: RenewedUploads) => ({
  sessionId,
  uploads,
  expiresAt,
});
