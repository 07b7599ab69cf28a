import { MongoClient } from 'mongodb';
import { withoutEngines } from './engineSettings.ts';

/**
 * How `all` runs a bench: its options, the environment, and a remark for its rows on where it was measured.
 */
export type Placed = Readonly<{ options: string; env: NodeJS.ProcessEnv; remark: string }>;

/** Those that run services; all others measure the embedded stores. */
const OF_SERVICES = [
  ...['reads', 'sessions', 'deliveries', 'deadReceivers', 'responsiveness'],
  ...['load', 'growth', 'pipeline', 'memory'],
];
/** Those whose rows name what they measure. */
const BY_NAME = ['events', 'documents', 'presign'];

/**
 * The options on FerretDB 1.24 with SQLite, which uses no index: every query but that of one `_id` decodes
 * the whole collection, half a millisecond a document. What is not here would measure only that, and answers
 * of 503 after 3 s.
 */
const ON_FERRETDB: Readonly<Record<string, string>> = {
  reads: '--requests 50 --rounds 3 --submissions 50',
  sessions: '--count 80',
  deliveries: '--deliveries 20 --rounds 3 --warm 8 --rate 2 --seconds 5',
  deadReceivers: '--deliveries 20 --shares 0,20',
  growth: '--events 0 --rounds 3',
  pipeline: '--count 16 --rounds 3 --warm 16',
  memory: '--minutes 0.3 --from 0.15',
};

/**
 * Places benches on the document store and the object store that the environment names, `isEmbedded` without
 * any. The log of a service is always its own.
 */
export const placing = async (env: NodeJS.ProcessEnv = process.env) => {
  const database = env.MONGODB_URL ? await serverAt(env.MONGODB_URL) : null;
  const engines = [database, env.S3_BUCKET ? 'S3' : null].filter((name) => name !== null);
  const embedded = { ...env, ...withoutEngines };
  const remark = `on ${engines.join(' and ')}`;
  const place = (bench: string, options: string): Placed => {
    if (BY_NAME.includes(bench)) return { options, env, remark: '' };
    if (engines.length === 0) return { options, env: embedded, remark: '' };
    if (!OF_SERVICES.includes(bench)) return { options, env: embedded, remark: EMBEDDED };
    if (database !== FERRETDB) return { options, env, remark };
    const fewer = ON_FERRETDB[bench];
    return fewer === undefined
      ? { options, env: embedded, remark: `${EMBEDDED}, as ${FERRETDB} uses no index` }
      : { options: fewer, env, remark: `${remark}; short (${fewer}), as ${FERRETDB} uses no index` };
  };
  return { place, isEmbedded: engines.length === 0 };
};

const EMBEDDED = 'on the embedded stores';
const FERRETDB = 'FerretDB';

const serverAt = async (url: string): Promise<string> => {
  const client = new MongoClient(url);
  try {
    const { ferretdbVersion } = await client.db('admin').command({ buildInfo: 1 });
    return ferretdbVersion === undefined ? 'MongoDB' : FERRETDB;
  } finally {
    await client.close();
  }
};
