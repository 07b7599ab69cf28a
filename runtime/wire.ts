import { hostname } from 'node:os';
import { administer } from '../commands/administer.ts';
import { authentication } from '../commands/authenticate.ts';
import { changePassword } from '../commands/changePassword.ts';
import { createClaims } from '../commands/claims.ts';
import { completions } from '../commands/completeInvitation.ts';
import { finishInvitation } from '../commands/finishInvitation.ts';
import { forgetAgain, removalsBy, requestAgain } from '../commands/forgetAgain.ts';
import { createHandle } from '../commands/handle.ts';
import { invitations, mailedToken } from '../commands/invite.ts';
import { keepAdministrator } from '../commands/keepAdministrator.ts';
import { keys } from '../commands/keys.ts';
import { type IdentityProvider, logInByProvider } from '../commands/logInByProvider.ts';
import { redactPeople } from '../commands/redactPeople.ts';
import { users } from '../commands/users.ts';
import { webhookEndpoints } from '../commands/webhookEndpoints.ts';
import { normalEmail } from '../domain/userEmail.ts';
import { COUNTED } from '../http/engine/access/rateLimits.ts';
import type { Outcome } from '../http/engine/request/idempotency.ts';
import { createBackground } from '../kernel/background.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Recorded } from '../kernel/event.ts';
import { systemIds } from '../kernel/ids.ts';
import type { Report } from '../kernel/report.ts';
import type { Tracing } from '../kernel/trace.ts';
import { createPatterns } from '../processing/engine/patterns.ts';
import { allProjections, allQueries } from '../projections/all.ts';
import { keysLeftBy } from '../projections/apiKeys.ts';
import { createProgress, MAX_VISIBILITY_WAIT_MS } from '../projections/engine/progress.ts';
import { liveCheckpoint } from '../projections/engine/readModels.ts';
import { createTasks } from '../projections/engine/tasks/tasks.ts';
import { reviewFigures } from '../projections/reviewFigures.ts';
import { findWithLogFallback } from '../projections/submissionFromLog.ts';
import { submissionQueries } from '../projections/submissions.ts';
import { createAvailability } from '../stores/availability/availability.ts';
import { promptLog } from '../stores/availability/failFast.ts';
import { createCredentials } from '../stores/credentials.ts';
import { createEndpointSecrets, sealedEndpointSecrets } from '../stores/endpointSecrets.ts';
import { cataloguedLog, withRedactions } from '../stores/events/catalogued.ts';
import { openerOf, sealedLog } from '../stores/events/codec.ts';
import { CACHED_MS, sealedSubjectKeys, subjectKeys } from '../stores/events/subjectKeys.ts';
import { idempotencyRecords, sealedOutcomes } from '../stores/idempotency/records.ts';
import { createIdentity } from '../stores/identity.ts';
import { storedKeyring } from '../stores/keyring/keyring.ts';
import { type RotationProgress, rotateKeys } from '../stores/keyring/rotate.ts';
import { createLogInAttempts } from '../stores/logInAttempts.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { sealedObjects } from '../stores/objects/sealed.ts';
import { argon2Passwords } from '../stores/passwords.ts';
import { sharedWindow } from '../stores/sharedWindow.ts';
import { createLogger, reportTo } from '../telemetry/log.ts';
import { someNodeRuns } from '../telemetry/nodes.ts';
import { noRecorder, type Recorder } from '../telemetry/recorder.ts';
import { recordedLeases, recordedLog } from '../telemetry/recording.ts';
import { tracedHandle, tracedLog } from '../telemetry/traced.ts';
import { locationsOf, rootsOf } from './dataFolder.ts';
import { openDocuments, openEvents } from './drivers.ts';
import type { Config } from './settings/config.ts';
import { embeddedParts } from './settings/config.ts';

type Serving = Readonly<{ recorder: Recorder; tracing: Tracing | null; clock: Clock }>;
const COMMAND: Serving = { recorder: noRecorder, tracing: null, clock: systemClock };

/** Everything but the network: what a command of the command line needs, and what a server is built on. */
export type Core = Awaited<ReturnType<typeof wireCore>>;

/**
 * Opens the stores that the settings name (drivers.ts) and builds on them all that the service does; `close`
 * closes them. `serving` is what the process that serves counts and tells time by.
 */
export const wireCore = async (config: Config, serving: Serving | null = null) => {
  const { recorder, tracing, clock } = serving ?? COMMAND;
  const ids = systemIds;
  const logger = createLogger(config.logLevel);
  const availability = createAvailability(reportTo(logger), recorder.unavailable, clock);
  const roots = rootsOf(config);
  const report = reportTo(logger, availability.suspect);
  const stores = await openDocuments(config, clock, report, serving !== null);
  const documents = { ...stores, leases: recordedLeases(stores.leases, clock, recorder) };
  const events = await openEvents(config);
  const keyring = storedKeyring({ tables: documents.tables, roots, clock });
  const { nameOf } = keyring;
  const sealingKeys = subjectKeys({ tables: documents.tables, keyring });
  const open = openerOf(sealingKeys);
  const catalogued = cataloguedLog(sealedLog(events, sealingKeys), {
    catalogue,
    onUnknown: reportUnknown(report),
  });
  const log = promptLog(
    tracedLog(recordedLog(catalogued, recorder), tracing, systemOf(config.engines)),
    () => availability.unavailable().includes('events'),
    () => availability.unreadable().includes('events'),
  );
  const handle = tracedHandle(createHandle(log, clock, ids), tracing);
  const credentials = createCredentials(documents.tables);
  const identity = createIdentity(documents.tables);
  const endpointSecrets = createEndpointSecrets({ tables: documents.tables, keyring });
  const emailIdOf = (email: string): string => nameOf('email', normalEmail(email));
  const tokenOf = config.mail === null ? null : (id: string) => mailedToken(nameOf, id);
  const identityPorts = { handle, log, identity, clock, ids, emailIdOf, mailedToken: tokenOf };
  const passwords = argon2Passwords();
  const finish = finishInvitation(identityPorts);
  const subjectIdOf = (issuer: string, subject: string): string => nameOf('oidc', issuer, subject);
  const reserve = () => ({ ulid: ids.ulid(), correlationId: ids.event() });
  const { tables, models } = documents;
  const queries = allQueries(models);
  const progress = createProgress(() => liveCheckpoint(allProjections, models));
  const keep = keepAdministrator({ identity, clock, administratorsOf: queries.users.administratorsOf });
  const closing = new AbortController();
  const background = createBackground((err) => report.error('work behind an answer failed', { err }));
  const { passwordLogIn } = config;
  const destroyKey = (subject: string, eventId: string) =>
    sealingKeys.destroy(subject, { at: clock.now().toISOString(), eventId });
  const userCommands = users({ ...identityPorts, finish, keepAdministrator: keep });
  const { disableAgain } = userCommands;
  const redaction = redactPeople({
    ...{ ...identityPorts, finish, disableAgain, progress, destroyKey },
    invitationsOf: queries.invitations.ofPerson,
  });
  const people = authentication({ ...identityPorts, passwords, background, passwordLogIn });
  return {
    clock,
    ids,
    logger,
    report,
    availability,
    recorder,
    tracing,
    /** Names this process among all that share the stores. */
    owner: `${hostname()}-${process.pid}-${ids.ulid()}`,
    keyring,
    /** Applies the ledger of destroyed keys to what was restored. */
    forgetAgain: (objects: Pick<ObjectStore, 'removeAll'> | null) =>
      forgetAgain({
        ...{ tables, keys: sealingKeys, objects },
        request: requestAgain({ log, handle, ids, ...redaction }),
        removals: removalsBy(log),
      }),
    /** The objects of a store that lie there sealed. */
    sealedIn: (objects: ObjectStore) => sealedObjects({ objects, keys: sealingKeys }),
    /** Whether a process of the service runs; see `someNodeRuns`. */
    isServed: () => someNodeRuns(tables, clock.now()),
    /** Seals everything under a new wrapping key; see `rotateKeys`. */
    rotateKeys: (signal: AbortSignal, onProgress: (progress: RotationProgress) => void) =>
      rotateKeys({ tables, keyring, roots, sealed: SEALED, clock }, signal, onProgress),
    nameOf,
    projections: allProjections,
    catalogue,
    /** Where the data is, for people. */
    locations: locationsOf(config),
    embedded: embeddedParts(config.engines),
    documents,
    /** Claims of people. Their leases are not among those that this process holds. */
    claims: createClaims({ leases: stores.leases, clock }),
    background,
    /** The log as stored, for inspection. */
    events,
    /** Opens the private parts of what `events` gives. */
    open: async (events: Parameters<typeof open>[0]) => withRedactions(await catalogue(), await open(events)),
    log,
    /** Redacts a subject for ever, because of an event. */
    destroyKey,
    /** Redaction of people and of invitations. */
    redactPeople: redaction,
    /** Whether the key of a subject is destroyed, as the store says. */
    isDestroyed: async (subject: string): Promise<boolean> =>
      (await sealingKeys.undestroyed([subject])).size === 0,
    /**
     * How long another process that serves may keep a key after that; beside an embedded store there is none.
     */
    keptKeyMs: embeddedParts(config.engines).documents ? 0 : CACHED_MS,
    handle,
    credentials,
    endpointSecrets,
    emailIdOf,
    mailedToken: tokenOf,
    finishInvitation: finish,
    /** Sets identifiers apart for what a POST makes. */
    reserve,
    /** Counts what is limited over all nodes. */
    counts: {
      webhookTest: sharedWindow({ tables, clock, table: 'webhookTests', ...COUNTED.webhookTest }),
      evidenceExport: sharedWindow({ tables, clock, table: 'evidenceExports', ...COUNTED.evidenceExport }),
      invitation: sharedWindow({ tables, clock, table: 'invitationCounts', ...COUNTED.invitation }),
    },
    idempotency: idempotencyRecords<Outcome>({ tables, keys: sealingKeys, keyring, clock, reserve }),
    completions: completions({ ...identityPorts, passwords, finish, passwordLogIn }),
    changePassword: changePassword({ ...identityPorts, passwords, passwordLogIn }),
    people,
    /** Log-in of people by this identity provider. */
    logInBy: (provider: IdentityProvider) =>
      logInByProvider({
        ...identityPorts,
        finish,
        people,
        provider,
        subjectIdOf,
        attempts: createLogInAttempts(documents.tables),
      }),
    progress,
    /** The rebuilds and retries that people ask for. */
    tasks: createTasks({ tables, clock }),
    administer: administer({ handle, log, ids }),
    keys: keys({ handle, log, credentials, clock, ids }),
    /** The live keys of a person who is disabled, or gets another role. */
    keysLeft: keysLeftBy({ ...queries.apiKeys, rows: credentials.byIds, clock }),
    endpoints: webhookEndpoints({
      ...{ handle, clock, ids, secrets: endpointSecrets, count: queries.webhookEndpoints.count },
      madeBefore: async (companyId, mode, position) => {
        await progress.reached(position, MAX_VISIBILITY_WAIT_MS);
        return queries.webhookEndpoints.madeBefore(companyId, mode, position);
      },
    }),
    ...queries,
    invitations: { ...invitations(identityPorts), ...queries.invitations },
    users: { ...userCommands, ...queries.users },
    reviewFigures: reviewFigures(models),
    submissions: submissionQueries(models, findWithLogFallback(models, log)),
    /** Starts no thread before its first use. */
    matchPatterns: createPatterns(closing.signal),
    /** Aborted when the stores close: nothing is waited for any longer. */
    closing: closing.signal,
    close: async (): Promise<void> => {
      closing.abort();
      await background.settled();
      await events.close();
      await documents.close();
    },
  };
};

/** What stores the log, as OpenTelemetry names it. */
const systemOf = ({ eventStoreDbUrl }: Config['engines']): string =>
  eventStoreDbUrl === null ? 'sqlite' : 'eventstoredb';

/** All that the wrapping keys seal. */
const SEALED = [sealedSubjectKeys, sealedEndpointSecrets, sealedOutcomes];

/**
 * The events that this release supports. Loaded at the first use of the log: schemas would double the start
 * of a command.
 */
const catalogue = async () => (await import('../schemas/events.ts')).eventCatalogue;

/** Logs events that only a newer release can read: they are not folded before this one is as new. */
const reportUnknown =
  (report: Report) =>
  ({ type, metadata, stream, revision }: Recorded): void =>
    report.warn(
      'the log has events of a type or version that this release does not support: they are parked',
      {
        type,
        schema: metadata.schema,
        stream,
        revision,
      },
    );
