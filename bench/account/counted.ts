import type { BatchAppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { writesInTurn } from '../../scripts/withEngines/writesInTurn.ts';
import { startStandIn } from '../../test/standIn/standIn.ts';
import { startReverseProxy } from '../../test/support/reverseProxy.ts';
import { ownDatabase } from '../engineSettings.ts';

/** How often each kind of request was made, such as `MongoDB find model.submissions`. */
export type Counts = ReadonlyMap<string, number>;

/** Engines that count: `take` gives what was asked since it was last called, and the events sent. */
export type CountedEngines = Readonly<{
  settings: Readonly<Record<string, string>>;
  take(): Readonly<{ counts: Counts; sent: number }>;
  /** How many appends and writes to read models there have been in all. */
  writes(): number;
  close(): Promise<void>;
}>;

/**
 * Puts a counting stand-in of EventStoreDB and counting proxies before the engines that the environment
 * names. Clients of presigned URLs reach the object store without the proxy.
 */
export const countedEngines = async (
  env: Readonly<{ MONGODB_URL: string; S3_ENDPOINT: string }>,
): Promise<CountedEngines> => {
  const found = new Map<string, number>();
  let [writes, sent] = [0, 0];
  const count = (kind: string): void => void found.set(kind, (found.get(kind) ?? 0) + 1);
  const log = await startStandIn({
    seen: (request) => {
      const kind = kindOfLog(request);
      if (kind === null) return;
      if (kind.startsWith('append')) writes += 1;
      count(`log ${kind}`);
    },
  });
  const database = new URL(ownDatabase(env.MONGODB_URL));
  const gate = await writesInTurn(
    { host: database.hostname, port: Number(database.port) },
    async (command, message) => {
      const kind = kindOfCommand(command, message);
      if (kind === null) return 'pass';
      if (/^(insert|update|delete) model/.test(kind)) writes += 1;
      count(`MongoDB ${kind}`);
      return 'pass';
    },
  );
  database.host = gate.address;
  database.searchParams.set('directConnection', 'true');
  const files = await startReverseProxy(Number(new URL(env.S3_ENDPOINT).port), 'kept', '', (method, path) =>
    count(`S3 ${method} ${kindOfPath(path)}`),
  );
  return {
    settings: {
      EVENTSTOREDB_URL: log.connectionString,
      MONGODB_URL: database.href,
      S3_ENDPOINT: files.url,
      S3_PUBLIC_ENDPOINT: env.S3_ENDPOINT,
    },
    take: () => {
      const taken = { counts: new Map(found), sent: log.tally.sent - sent };
      found.clear();
      sent = log.tally.sent;
      return taken;
    },
    writes: () => writes,
    close: async () => {
      await Promise.all([files.close(), gate.close(), log.stop()]);
    },
  };
};

/** An append counts once, with its last part; a subscription is no round trip. */
const kindOfLog = (request: ReadReq | BatchAppendReq): string | null => {
  if ('getIsFinal' in request)
    return request.getIsFinal()
      ? `append ${category(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8())}`
      : null;
  const options = request.getOptions();
  if (options?.hasSubscription()) return null;
  if (options?.hasAll()) return 'read $all';
  return `read ${category(options?.getStream()?.getStreamIdentifier()?.getStreamName_asU8())}`;
};

const category = (stream: Uint8Array | string = ''): string =>
  Buffer.from(stream as Uint8Array)
    .toString()
    .replace(/-.*/, '');

const OP_MSG = 2_013;
const OPERATION_AT = 12;
const FIRST_NAME_AT = 26;
const TEXT = 2;

/**
 * The command and its collection, without the version of a read model; null for what keeps a connection, and
 * `BY_TIME` for what is asked again and again whether there is work or not.
 */
const kindOfCommand = (command: string, message: Buffer): string | null => {
  if (message.readInt32LE(OPERATION_AT) !== OP_MSG || KEEPING.has(command)) return null;
  const value = FIRST_NAME_AT + command.length + 1;
  if (message[FIRST_NAME_AT - 1] !== TEXT) return command;
  const collection = message.toString('latin1', value + 4, message.indexOf(0, value + 4));
  const kind = `${command} ${collection.replace(/_v\d+$/, '')}`;
  return isByTime(kind, message) ? BY_TIME : kind;
};

export const BY_TIME = 'polls and renewals';

/** Polls of queues, targets of their names, renewals of leases, tables of tasks. */
const isByTime = (kind: string, message: Buffer): boolean => {
  if (/^find model\.\w+Queue$/.test(kind)) return message.includes('singleBatch');
  if (kind === 'find aliases') return message.includes('Queue');
  if (kind === 'update leases') return !message.includes('checkpoints.') && !message.includes('grant');
  return /^\w+ table\.(rebuilds|projectionTasks|nodes)$|^aggregate /.test(kind);
};

const KEEPING = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions']);

/** The bucket's folder of a path; for the bucket itself what is asked of it. */
const kindOfPath = (path: string): string => {
  const { pathname, searchParams } = new URL(path, 'http://store');
  const [, , folder] = pathname.split('/');
  return folder || [...searchParams.keys()].filter((name) => !name.startsWith('x-id')).join(' ') || 'bucket';
};
