import { type Config, readConfig } from '../../runtime/settings/config.ts';
import { checkStores } from '../../runtime/storeChecks.ts';
import { type Core, wireCore } from '../../runtime/wire.ts';

/** Opens the stores beside the service or before it, as a command of the command line does; close it. */
export const openCore = async (config: Config): Promise<Core> => {
  const core = await wireCore(config);
  await checkStores(core);
  return core;
};

/** The same for settings as environment variables. */
export const openCoreOf = (settings: Readonly<Record<string, string>>): Promise<Core> =>
  openCore(readConfig(settings));
