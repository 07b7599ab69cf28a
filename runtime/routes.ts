import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createChat } from '../agent/chat.ts';
import { draftWorkflow } from '../agent/draftWorkflow.ts';
import { checkCorrections } from '../commands/checkCorrections.ts';
import { decidedBy } from '../commands/decidedBy.ts';
import { evidenceExports } from '../commands/evidenceExports.ts';
import { legalHolds } from '../commands/legalHold.ts';
import { load, loadStream } from '../commands/load.ts';
import type { IdentityProvider } from '../commands/logInByProvider.ts';
import { openedSession, openSession } from '../commands/openSession.ts';
import { redactSubject } from '../commands/redactSubject.ts';
import { redactSubmission } from '../commands/redactSubmission.ts';
import { recover, redeliver, redeliverAll } from '../commands/redeliver.ts';
import { renewUploads } from '../commands/renewUploads.ts';
import { requestEvaluation } from '../commands/requestEvaluation.ts';
import { reviewSubmission } from '../commands/reviewSubmission.ts';
import { submitSession } from '../commands/submitSession.ts';
import { teamwork } from '../commands/teamwork.ts';
import { company, companyStream } from '../domain/company.ts';
import { evaluation, evaluationStream } from '../domain/evaluation/evaluation.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import { settingsOf } from '../domain/workflowSettings.ts';
import { createBrowserMarks } from '../http/engine/access/browserMarks.ts';
import type { RateLimits } from '../http/engine/access/rateLimits.ts';
import { createLongPolls } from '../http/engine/request/longPolls.ts';
import type { Route } from '../http/engine/route.ts';
import { oidcRoutes } from '../http/routes/authOidc.ts';
import { authRoutes } from '../http/routes/authSessions.ts';
import { batchRoutes } from '../http/routes/batches.ts';
import { companyLogInRoutes } from '../http/routes/companyLogIn.ts';
import { deliveryRoutes } from '../http/routes/deliveries.ts';
import { documented } from '../http/routes/documents.ts';
import { createDownloads } from '../http/routes/downloads.ts';
import { evaluationRoutes } from '../http/routes/evaluations.ts';
import { evidenceRoutes } from '../http/routes/evidence.ts';
import { figuresRoutes } from '../http/routes/figures.ts';
import { filePageRoutes } from '../http/routes/filePages.ts';
import { fraudRoutes } from '../http/routes/fraud.ts';
import { invitationRoutes } from '../http/routes/invitations.ts';
import { redactionRoutes } from '../http/routes/redaction.ts';
import { reviewRoutes } from '../http/routes/review.ts';
import { sessionRoutes } from '../http/routes/sessions.ts';
import { subjectRedactionRoutes } from '../http/routes/subjectRedactions.ts';
import { submissionRoutes } from '../http/routes/submissions.ts';
import { teamworkRoutes } from '../http/routes/teamwork.ts';
import { webhookEndpointRoutes } from '../http/routes/webhookEndpoints.ts';
import { webhookTestRoute } from '../http/routes/webhooks.ts';
import { workflowAgentRoutes } from '../http/routes/workflowAgent.ts';
import { workflowRoutes } from '../http/routes/workflows.ts';
import { workflowTrialRoutes } from '../http/routes/workflowTrial.ts';
import type { Mode } from '../kernel/scope.ts';
import { version } from '../kernel/version.ts';
import type { Sender } from '../outbound/send.ts';
import { testEndpoint, testReceiver } from '../outbound/testReceiver.ts';
import { createHeadSniffer, type HeadSniffer } from '../processing/engine/headSniffer.ts';
import { keptWords } from '../processing/keptWords.ts';
import type { showPages } from '../processing/showPages.ts';
import type { tryFile } from '../processing/tryFile.ts';
import { deliveryContent } from '../projections/deliveryFromLog.ts';
import { readYourWrites, submissionAsOf } from '../projections/submissionFromLog.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { administrationRoutes } from './administrationRoutes.ts';
import { eventFeed } from './eventFeed.ts';
import { type EvidenceConfig, evidenceOf } from './evidence.ts';
import { type OperationPorts, operationRoutes } from './operations.ts';
import { releasing, reviewQueue } from './reviewQueue.ts';
import type { Config } from './settings/config.ts';
import type { Core } from './wire.ts';

/**
 * `common`: the routes that every process serves. `stopping`: aborted when the server stops. `publicUrl`: the
 * API's address, known once the service listens.
 */
export type RoutePorts = OperationPorts &
  Readonly<{
    objects: ObjectStore;
    sender: Sender;
    provider: IdentityProvider | null;
    rateLimits: RateLimits;
    filePages: ReturnType<typeof showPages>;
    trials: ReturnType<typeof tryFile>;
    common: readonly Route[];
    stopping: AbortSignal;
    publicUrl(): string;
  }>;

export type RouteConfig = EvidenceConfig &
  Pick<Config, 'agent' | 'oidc' | 'passwordLogIn' | 'publicUrl' | 'secretOf' | 'sessionTtlMs' | 'webhook'>;

/** The route table of the API: every endpoint that is served. */
export const routesOf = (config: RouteConfig, core: Core, ports: RoutePorts): readonly Route[] => {
  const { objects, sender, provider, rateLimits, filePages } = ports;
  const { handle, log, ids, clock, workflows, companies, progress, logger, report } = core;
  const { find } = core.submissions;
  const failed = (error: unknown) => report.error('the read models could not be read', { err: error });
  const batchId = (companyId: string, mode: Mode, batchRef: string): string =>
    core.nameOf('batch', companyId, mode, batchRef);
  const current = (submissionId: string) => load(log, submission, submissionStream(submissionId));
  const currentCompany = (companyId: string) => load(log, company, companyStream(companyId));
  const review = reviewSubmission({ handle, onChecked: core.recorder.checked });
  const polls = createLongPolls(ports.stopping);
  const { sessionTtlMs } = config;
  const onRemovalFailure = (error: unknown) =>
    report.warn('an upload could not be removed: the sweep tries again', { err: error });
  const sniff = sniffObject(objects, createHeadSniffer(core.closing));
  const routes = [
    ...workflowRoutes(workflows),
    ...administrationRoutes(config, core, ports),
    ...sessionRoutes({
      workflows,
      openSession: openSession({ handle, objects, clock, ids, batchIdOf: batchId, sessionTtlMs }),
      openedSession: openedSession({ log, objects, clock, version: workflows.kept }),
      submitSession: submitSession({ handle, objects, clock, sniff, onRemovalFailure }),
      renewUploads: renewUploads({ handle, objects, clock, version: workflows.kept }),
      load: (submissionId) => loadStream(log, submission, submissionStream(submissionId)),
      readYourWrites: readYourWrites({ progress, log, find, failed }),
      answer: core.submissions.answer,
      deliveryStatus: core.deliveries.statusOf,
      failed,
    }),
    ...submissionRoutes({
      submissions: core.submissions,
      asOf: submissionAsOf(log),
      downloadUrl: createDownloads(objects, clock),
      batchIdOf: batchId,
    }),
    ...figuresRoutes({ figures: core.reviewFigures, clock }),
    ...filePageRoutes({
      find,
      filePages,
      wordsOn: keptWords({ sealed: core.sealedIn(objects), objects, report }).on,
    }),
    ...evidenceRoutes({
      ...evidenceOf(config, core, objects),
      find,
      exports: evidenceExports({ handle, log }),
      limit: rateLimits.evidenceExport,
      reserve: core.reserve,
    }),
    ...batchRoutes({ batches: core.batches, batchIdOf: batchId }),
    ...reviewRoutes({
      workflows,
      review,
      current,
      checkCorrections: checkCorrections(core.matchPatterns),
      decidedBy: decidedBy(log),
      decided: releasing(core),
    }),
    ...reviewQueue(core, current, polls),
    ...redactionRoutes({ redact: redactSubmission(handle), holds: legalHolds({ handle, clock }), current }),
    ...subjectRedactionRoutes({
      ...core.subjectRedactions,
      redact: redactSubject({ ...core, submissionsOf: core.submissions.ofSubject }),
    }),
    ...evaluationRoutes({
      ...core.evaluations,
      workflows,
      request: requestEvaluation({
        handle,
        settingsOf: async (id, slug) => settingsOf((await companies.find(id))?.workflows, slug),
        approved: core.evaluations.approved,
      }),
      change: (id, type, context) => handle(evaluation, evaluationStream(id), { type }, context),
      current: (id) => load(log, evaluation, evaluationStream(id)),
    }),
    ...teamworkRoutes({ team: teamwork({ handle, clock, user: core.users.find }), current }),
    ...fraudRoutes({ clock, find, labels: core.submissions.labels, review, current }),
    eventFeed(core, polls),
    webhookTestRoute({ limit: rateLimits.webhookTest, testReceiver: testReceiver({ sender, clock }) }),
    ...webhookEndpointRoutes({
      commands: core.endpoints,
      ...core.webhookEndpoints,
      limit: rateLimits.webhookTest,
      testEndpoint: testEndpoint({ sender, clock, secrets: core.endpointSecrets }),
    }),
    ...deliveryRoutes({
      deliveries: core.deliveries,
      content: deliveryContent(log),
      clock,
      redeliver: redeliver({ handle, log }),
      redeliverAll: redeliverAll({ handle, log }),
      recover: recover({ handle, log }),
    }),
    ...invitationRoutes({
      failures: rateLimits.failures.invitation,
      invitations: core.completions,
      company: currentCompany,
    }),
    ...companyLogInRoutes({
      current: (companyId) => loadStream(log, company, companyStream(companyId)),
      changeLogIn: core.administer.changeLogIn,
    }),
    ...oidcRoutes({
      methods: {
        password: config.passwordLogIn,
        identityProvider: config.oidc && new URL(config.oidc.issuer).host,
      },
      hasUsers: core.users.hasAny,
      byProvider: provider && core.logInBy(provider),
      invitations: core.completions,
      rateLimits,
    }),
    ...authRoutes({
      people: core.people,
      passwordLogIn: config.passwordLogIn,
      changePassword: core.changePassword,
      user: core.users.find,
      company: companies.find,
      rateLimits,
      browsers: createBrowserMarks(core.nameOf),
      publicUrl: ports.publicUrl,
    }),
    ...workflowAgentRoutes(
      draftWorkflow({
        chat: config.agent && createChat(config.agent, core.closing),
        onModelFailure: (error) =>
          logger.warn({ err: error }, 'the model endpoint failed, the built-in rules were used'),
      }),
    ),
    ...workflowTrialRoutes({ find: workflows.find, tryFile: ports.trials.run }),
    ...operationRoutes(core, ports),
    ...ports.common,
  ];
  return documented(routes, {
    version,
    publicUrl: config.publicUrl,
    guides: GUIDES,
    address: ports.publicUrl,
  });
};

/** What `npm run build` makes of the guides. */
const GUIDES = fileURLToPath(new URL('../guides.json', import.meta.url));

/** How much of an upload is judged, in bytes. */
const HEAD_BYTES = 65_536;

/** Judges an upload by the first bytes of it. */
const sniffObject =
  (objects: ObjectStore, typeOfHead: HeadSniffer) =>
  async (key: string, declared: string | null): Promise<string | null> => {
    const stream = await objects.read(key, HEAD_BYTES);
    return stream && typeOfHead({ bytes: await buffer(stream), declared });
  };
