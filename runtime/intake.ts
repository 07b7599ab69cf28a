import type { Runtime } from '../cli/runtime.ts';
import type { Config } from './settings/config.ts';

// Each part is loaded when it is used: commands must start fast.

const readSettings = async (): Promise<Config> =>
  (await import('./settings/config.ts')).readConfig(process.env);

/** The service with the settings of this process' environment, as the command line uses it. */
export const runtime: Runtime = {
  openCore: async ({ create, notice }) => {
    const config = await readSettings();
    const { wireCore } = await import('./wire.ts');
    const { checkStores } = await import('./storeChecks.ts');
    const { hasData, madeFolder, requireData, upgradeFolder } = await import('./dataFolder.ts');
    for (const { name, detail } of config.misspelt) notice(`${name} ${detail}`);
    const isNew = !hasData(config);
    if (!create) requireData(config);
    upgradeFolder(config);
    const core = await wireCore(config);
    if (isNew) notice(madeFolder(config));
    return { ...core, check: () => checkStores(core) };
  },
  openFiles: async () => {
    const { openFiles } = await import('./drivers.ts');
    const { systemClock } = await import('../kernel/clock.ts');
    return openFiles(await readSettings(), systemClock);
  },
  evidenceSeed: async () => {
    const { evidenceSeed } = await import('./dataFolder.ts');
    return evidenceSeed(await readSettings());
  },
  endpointRules: async () => {
    const { endpointRules } = await import('../outbound/endpointRules.ts');
    const { isOwnSetting } = await import('./settings/table.ts');
    const { webhook, secretOf } = await readSettings();
    return endpointRules({ ...webhook, secretOf, isReserved: isOwnSetting });
  },
  publicUrl: async () => {
    const { publicUrlOf } = await import('./settings/config.ts');
    return publicUrlOf(await readSettings());
  },
  checkReader: async (file) => {
    const { readerModels } = await readSettings();
    const { checkReader } = await import('./checkReader.ts');
    return checkReader(file, readerModels);
  },
  evaluateFolder: async (documents, definitions, onRead, signal) => {
    const { readerModels } = await readSettings();
    const { evaluateFolder } = await import('./evaluateFolder.ts');
    return evaluateFolder(documents, definitions, readerModels, onRead, signal);
  },
  serve: async ({ roles, stopped, notice }) => {
    const config = await readSettings();
    await endOnUncaught(config);
    const { serve } = await import('./serve.ts');
    const { hasData, madeFolder } = await import('./dataFolder.ts');
    const isNew = !hasData(config);
    const service = await serve(config, roles, stopped);
    if (isNew) notice(madeFolder(config));
    return service;
  },
};

/** Node itself would print an error with all that packages attach to it: requests, headers, bodies. */
const endOnUncaught = async ({ logLevel }: Pick<Config, 'logLevel'>): Promise<void> => {
  const { createLogger } = await import('../telemetry/log.ts');
  process.once('uncaughtException', (error) => {
    createLogger(logLevel, process.stderr).fatal({ err: error }, 'an unhandled error ends the process');
    process.exit(1);
  });
};
