/** Settings as environment variables. */
type Settings = Readonly<Record<string, string>>;

/** The engines that test services run on: which, and the settings that name them. */
type Chosen = Readonly<{ engines: readonly ('log' | 'documents' | 'files')[]; settings: Settings }>;

/** Set by test/run.ts for the runs of the black-box suite on engines. */
const chosen: Chosen = JSON.parse(process.env.INTAKE_TEST_ENGINES ?? '{"engines":[],"settings":{}}');

/** What of test services is held by engines. */
export const { engines } = chosen;

/**
 * Whether test services run on the embedded stores, all of them: tests about their files are declared only
 * then.
 */
export const isEmbedded = engines.length === 0;

/** Settings for one service, apart from every other's, and what removes what lies behind them. */
export type OwnEngines = Readonly<{ settings: Settings; close(): Promise<void> }>;

/**
 * Makes a log and a database for one service, as far as the run is on engines. The bucket is shared: no two
 * services name a file alike.
 */
export const ownEngines = async (): Promise<OwnEngines> => {
  if (isEmbedded) return { settings: {}, close: async () => undefined };
  const own = await Promise.all(engines.map((engine) => makers[engine]()));
  const MASTER_KEY = Buffer.alloc(32, 9).toString('base64');
  const EVIDENCE_KEY = Buffer.alloc(32, 8).toString('base64');
  return {
    settings: Object.assign({ MASTER_KEY, EVIDENCE_KEY }, ...own.map(({ settings }) => settings)),
    close: async () => {
      for (const { close } of own) await close();
    },
  };
};

const makers = {
  /** In the place of an EventStoreDB, of which each service would need one of its own. */
  log: async (): Promise<OwnEngines> => {
    const { startStandIn } = await import('../standIn/standIn.ts');
    const { connectionString, stop } = await startStandIn();
    return { settings: { EVENTSTOREDB_URL: connectionString }, close: stop };
  },
  documents: async (): Promise<OwnEngines> => {
    const { ownDatabase } = await import('../contract/mongodbDocuments/server.ts');
    const { url, end } = await ownDatabase(chosen.settings.MONGODB_URL);
    return { settings: { MONGODB_URL: url }, close: end };
  },
  files: async (): Promise<OwnEngines> => {
    const { MONGODB_URL: _, EVENTSTOREDB_URL: __, ...settings } = chosen.settings;
    return { settings, close: async () => undefined };
  },
};
