import { buffer } from 'node:stream/consumers';
import { createChat } from '../agent/chat.ts';
import { draftWorkflow } from '../agent/draftWorkflow.ts';
import { checkCorrections } from '../commands/checkCorrections.ts';
import { load, loadStream } from '../commands/load.ts';
import { openedSession, openSession } from '../commands/openSession.ts';
import { redeliver, redeliverAll } from '../commands/redeliver.ts';
import { renewUploads } from '../commands/renewUploads.ts';
import { reviewSubmission } from '../commands/reviewSubmission.ts';
import { submitSession } from '../commands/submitSession.ts';
import { company, companyStream } from '../domain/company.ts';
import { submission, submissionStream } from '../domain/submission/submission.ts';
import type { RateLimits } from '../http/engine/access/rateLimits.ts';
import type { Route } from '../http/engine/route.ts';
import { authRoutes } from '../http/routes/authSessions.ts';
import { batchRoutes } from '../http/routes/batches.ts';
import { companyRoutes } from '../http/routes/companies.ts';
import { documented } from '../http/routes/documents.ts';
import { createDownloads } from '../http/routes/downloads.ts';
import { fraudRoutes } from '../http/routes/fraud.ts';
import { invitationRoutes } from '../http/routes/invitations.ts';
import { reviewRoutes } from '../http/routes/review.ts';
import { sessionRoutes } from '../http/routes/sessions.ts';
import { submissionRoutes } from '../http/routes/submissions.ts';
import { deliveryRoutes, eventRoute, webhookTestRoute } from '../http/routes/webhooks.ts';
import { workflowAgentRoutes } from '../http/routes/workflowAgent.ts';
import { workflowRoutes } from '../http/routes/workflows.ts';
import { hmacId } from '../kernel/hmac.ts';
import type { Mode } from '../kernel/scope.ts';
import { version } from '../kernel/version.ts';
import type { Sender } from '../outbound/send.ts';
import { testReceiver } from '../outbound/testReceiver.ts';
import { createHeadSniffer, type HeadSniffer } from '../processing/engine/headSniffer.ts';
import { envelopes } from '../projections/feed.ts';
import { readYourWrites, submissionAsOf } from '../projections/submissionFromLog.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import type { Config } from './settings/config.ts';
import type { Core } from './wire.ts';

/** `common`: the routes that every process serves. */
type Ports = Readonly<{
  objects: ObjectStore;
  sender: Sender;
  rateLimits: RateLimits;
  common: readonly Route[];
}>;

/** The route table of the API: every endpoint that is served. */
export const routesOf = (
  config: Config,
  core: Core,
  { objects, sender, rateLimits, common }: Ports,
): readonly Route[] => {
  const { handle, log, ids, clock, workflows, companies, progress, logger, report } = core;
  const { find } = core.submissions;
  const failed = (error: unknown) => report.error('the read models could not be read', { err: error });
  const batchId = (companyId: string, mode: Mode, batchRef: string): string =>
    hmacId(core.masterKey, 'batch', companyId, mode, batchRef);
  const current = (submissionId: string) => load(log, submission, submissionStream(submissionId));
  const review = reviewSubmission(handle);
  const { sessionTtlMs } = config;
  const onRemovalFailure = (error: unknown) =>
    report.warn('an upload could not be removed: the sweep tries again', { err: error });
  const sniff = sniffObject(objects, createHeadSniffer(core.closing));
  const routes = [
    ...workflowRoutes(workflows),
    ...companyRoutes(companies),
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
    ...batchRoutes({ batches: core.batches, batchIdOf: batchId }),
    ...reviewRoutes({
      workflows,
      review,
      current,
      checkCorrections: checkCorrections(core.matchPatterns),
    }),
    ...fraudRoutes({ clock, find, review, current }),
    eventRoute({ feed: core.feed, envelopes: envelopes(log) }),
    webhookTestRoute({ limit: rateLimits.webhookTest, testReceiver: testReceiver({ sender, clock }) }),
    ...deliveryRoutes({
      deliveries: core.deliveries,
      redeliver: redeliver(handle),
      redeliverAll: redeliverAll(handle),
    }),
    ...invitationRoutes({
      authFailures: rateLimits.authFailures,
      invitations: core.completions,
      company: (companyId) => load(log, company, companyStream(companyId)),
    }),
    ...authRoutes({ administrators: core.administrators, authFailures: rateLimits.authFailures }),
    ...workflowAgentRoutes(
      draftWorkflow({
        chat: config.agent && createChat(config.agent, core.closing),
        onModelFailure: (error) =>
          logger.warn({ err: error }, 'the model endpoint failed, the built-in rules were used'),
      }),
    ),
    ...common,
  ];
  return documented(routes, { version, publicUrl: config.publicUrl });
};

/** How much of an upload is judged, in bytes. */
const HEAD_BYTES = 65_536;

/** Judges an upload by the first bytes of it. */
const sniffObject =
  (objects: ObjectStore, typeOfHead: HeadSniffer) =>
  async (key: string, declared: string | null): Promise<string | null> => {
    const stream = await objects.read(key, HEAD_BYTES);
    return stream && typeOfHead({ bytes: await buffer(stream), declared });
  };
