import { resolve } from 'node:path';
import type { Context } from '../commands/handle.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import type { Position } from '../kernel/event.ts';
import { waitFor } from '../kernel/timeLimit.ts';
import type { Config } from '../runtime/settings/config.ts';
import type { Core } from '../runtime/wire.ts';
import type { Output } from './output.ts';

/** What a command works with. */
type Stores = Readonly<{
  core: Core;
  /** Says that an operator did it. */
  context: Context;
  /** Waits until the read models show `position`, and says so when they don't. */
  shown(position: Position | null): Promise<void>;
  /** Waits until the read models show all that is in the log now. */
  upToDate(): Promise<void>;
}>;

/** Reads the settings from the environment. Throws `InvalidSettings`. */
export const settings = async (): Promise<Config> => {
  const { readConfig } = await import('../runtime/settings/config.ts');
  return readConfig(process.env);
};

/**
 * Opens the stores that the settings name, beside a running server or without one, and closes them after
 * `run`. Only a command that may be the first one creates them (`create`), and says so. Throws `NoData` when
 * DATA_DIR holds none.
 */
export const withStores = async <T>(
  output: Output,
  run: (stores: Stores) => Promise<T>,
  { create = false }: Readonly<{ create?: boolean }> = {},
): Promise<T> => {
  const config = await settings();
  const { wireCore } = await import('../runtime/wire.ts');
  const { checkStores } = await import('../runtime/storeChecks.ts');
  const { hasData, requireData } = await import('../runtime/dataFolder.ts');
  for (const { name, detail } of config.misspelt) output.notice(`${name} ${detail}`);
  const isNew = !hasData(config);
  if (!create) requireData(config);
  const core = await wireCore(config);
  if (isNew) output.notice(madeDataDir(config));
  const shown = (position: Position | null) => settled(core, position, output);
  const correlationId = core.ids.event();
  try {
    await checkStores(core);
    return await run({
      core,
      context: { actor: { kind: 'operator', id: 'cli' }, correlationId, causationId: correlationId },
      shown,
      upToDate: async () => shown(await core.log.head()),
    });
  } finally {
    await waitFor(core.close(), CLOSE_MS);
  }
};

/** Says that a data folder was made, so that nobody goes on in the wrong one unaware. */
export const madeDataDir = ({ dataDir }: Config): string =>
  `Made a new data folder: ${resolve(dataDir)} (DATA_DIR).`;

/** What a command was asked for is done and told when it closes the stores: one that hangs is left. */
const CLOSE_MS = 1_000;

/** How long a look at the read models' checkpoint may take before this process offers to make them itself. */
const GLANCE_MS = 1;

const settled = async (core: Core, position: Position | null, output: Output): Promise<void> => {
  if (position === null || (await isShown(core, position))) return;
  output.notice(
    'The read models are behind the log: lists may lack what came last. Look again in a moment; if this stays, the log of `intake serve` says why.',
  );
};

/** What is stored is done, and a new key's secrets are told but once: read models that are away must not make a failure of it. */
const isShown = async (core: Core, position: Position): Promise<boolean> => {
  try {
    if (await core.progress.reached(position, GLANCE_MS)) return true;
    const { settle } = await import('../projections/engine/live.ts');
    return await settle(core, position);
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
};
