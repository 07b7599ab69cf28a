import type { administer } from '../commands/administer.ts';
import type { forgetAgain } from '../commands/forgetAgain.ts';
import type { Handle } from '../commands/handle.ts';
import type { invitations } from '../commands/invite.ts';
import type { keys } from '../commands/keys.ts';
import type { RedactPeople } from '../commands/redactPeople.ts';
import type { users } from '../commands/users.ts';
import type { Comparison } from '../domain/evaluation/judge.ts';
import type { WorkflowDefinition } from '../domain/workflow.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Recorded } from '../kernel/event.ts';
import type { Ids } from '../kernel/ids.ts';
import type { allQueries } from '../projections/all.ts';
import type { keysLeftBy } from '../projections/apiKeys.ts';
import type { ProjectPorts } from '../projections/engine/live.ts';
import type { EndpointRules } from '../schemas/definitionProblems.ts';
import type { Credentials } from '../stores/credentials.ts';
import type { EventStore } from '../stores/events/port.ts';
import type { Rotation, RotationProgress } from '../stores/keyring/rotate.ts';
import type { ObjectReader, ObjectStore } from '../stores/objects/port.ts';

/** The roles that a process may have. */
export const roles = ['api', 'projections', 'reactors', 'workers'] as const;
export type Role = (typeof roles)[number];

type Queries = ReturnType<typeof allQueries>;

/** The stores, and what commands do with them. */
export type Core = ProjectPorts &
  Queries &
  Readonly<{
    clock: Clock;
    ids: Ids;
    handle: Handle;
    credentials: Credentials;
    administer: ReturnType<typeof administer>;
    keys: ReturnType<typeof keys>;
    keysLeft: ReturnType<typeof keysLeftBy>;
    users: ReturnType<typeof users> & Queries['users'];
    invitations: ReturnType<typeof invitations> & Queries['invitations'];
    redactPeople: RedactPeople;
    /** The log as it is stored. */
    events: EventStore;
    /** Opens the private parts of stored events. */
    open(events: readonly Recorded[]): Promise<readonly Recorded[]>;
    /** Whether the key of a subject is destroyed, as the store says. */
    isDestroyed(subject: string): Promise<boolean>;
    /** Applies the ledger of destroyed keys to what was restored. */
    forgetAgain(objects: Pick<ObjectStore, 'removeAll'> | null): ReturnType<typeof forgetAgain>;
    /** Seals everything under a new wrapping key; null when the signal was aborted. */
    rotateKeys(
      signal: AbortSignal,
      onProgress: (progress: RotationProgress) => void,
    ): Promise<Rotation | null>;
    /** Whether a process of the service runs, as far as it said so. Throws `StoreUnavailable`. */
    isServed(): Promise<boolean>;
    /** Where the data is, in words. */
    locations: Readonly<{ all: string }>;
    /** Refuses stores that don't belong together. Throws `StoreMisconfigured`. */
    check(): Promise<void>;
    close(): Promise<void>;
  }>;

/**
 * How the first person is invited: `settings` are what the command needs of the environment, as a shell sets
 * them; `secret` are those set here that it needs besides, whose values are not to be shown.
 */
export type FirstInvitation = Readonly<{ settings: readonly string[]; secret: readonly string[] }>;

/** A running service: its addresses, where its data is, in words, and what stops it. */
export type Service = Readonly<{
  /** The API's address; null where another process serves it. */
  url: string | null;
  /** The console's address; null where another process serves it. */
  consoleUrl: string | null;
  /** Null where another process serves the console, there is a user already, or that is not known yet. */
  firstInvitation: FirstInvitation | null;
  healthUrl: string;
  storageUrl: string;
  data: string;
  /** Rejects when a part that was unavailable at the start turns out to be unusable. */
  broken(): Promise<never>;
  /** Stops it in order. False: something had not ended in time, and the process must be ended by force. */
  close(): Promise<boolean>;
}>;

/**
 * What models read on a page: its words, the mean confidence of their letters (0..1), time and processor time
 * in ms. `models`: their folder, null for the shipped ones.
 */
export type PageReading = Readonly<{
  models: string | null;
  words: number;
  confidence: number;
  durationMs: number;
  cpuMs: number;
}>;

/** A file to be read: its name, and its bytes or its path. */
export type ReadFile = Readonly<{ label: string; content: Uint8Array | string }>;

/** A document, and what is true of it, by the names of fields; `mimeType`: null where its bytes tell. */
export type KnownDocument = ReadFile &
  Readonly<{ mimeType: string | null; truth: Readonly<Record<string, unknown>> }>;

/** Called with notices for the operator. */
type Notice = (text: string) => void;

/**
 * The service as the executable hands it to the command line. All read the settings, and throw
 * `InvalidSettings`.
 */
export type Runtime = Readonly<{
  /** Opens the stores. Throws `NoData` where DATA_DIR holds none, unless `create`. */
  openCore(options: Readonly<{ create: boolean; notice: Notice }>): Promise<Core>;
  /** Uploads and evidence, to be read; `removeAll` as that of stores. */
  openFiles(): Promise<ObjectReader & Pick<ObjectStore, 'removeAll' | 'close'>>;
  /** The seed of the key that signs exported evidence (32 bytes). */
  evidenceSeed(): Promise<Buffer>;
  endpointRules(): Promise<EndpointRules>;
  /** The API's public address. */
  publicUrl(): Promise<string>;
  /**
   * Reads the first page of a file with the shipped models, and with those of READER_MODELS where it is set.
   * Throws `PageNotRead`.
   */
  checkReader(file: ReadFile): Promise<readonly PageReading[]>;
  /** Reads documents by two definitions, and compares what was read with what is true of them. */
  evaluateFolder(
    documents: readonly KnownDocument[],
    definitions: Readonly<{ before: WorkflowDefinition; after: WorkflowDefinition }>,
    onRead: () => void,
    signal: AbortSignal,
  ): Promise<readonly Comparison[]>;
  /** Runs the service in the given roles; `stopped` cuts its start short. */
  serve(
    options: Readonly<{ roles: readonly Role[]; stopped: AbortSignal; notice: Notice }>,
  ): Promise<Service>;
}>;
