import type { Context } from '../commands/handle.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import type { Position } from '../kernel/event.ts';
import { waitFor } from '../kernel/timeLimit.ts';
import type { ProjectPorts } from '../projections/engine/live.ts';
import type { Command, Common } from './commandLine.ts';
import { createOutput, type Output } from './output.ts';
import type { Core, Runtime } from './runtime.ts';

/** What a command works with. */
export type Stores = Readonly<{
  runtime: Runtime;
  core: Core;
  output: Output;
  /** Says that an operator did it. */
  context: Context;
  /** Waits until the read models show `position`, with a notice when they don't. */
  visible(position: Position | null): Promise<void>;
  /** Waits until the read models show all that is in the log now. */
  upToDate(): Promise<void>;
}>;

/** A command has done its work when it closes the stores: it does not wait for one that hangs. */
const CLOSE_MS = 1_000;

/**
 * Opens the stores, beside a running server or without one, and closes them after `run`. Only a command that
 * may be the first one creates them (`create`). Throws `InvalidSettings`, and `NoData` when there are none.
 */
export const withStores = async (
  runtime: Runtime,
  { json }: Common,
  run: (stores: Stores) => Promise<void>,
  { create = false }: Readonly<{ create?: boolean }> = {},
): Promise<void> => {
  const output = createOutput(json);
  const core = await runtime.openCore({ create, notice: output.notice });
  const correlationId = core.ids.event();
  const context = {
    actor: { kind: 'operator', id: 'cli' },
    correlationId,
    causationId: correlationId,
  } as const;
  const visible = async (position: Position | null): Promise<void> => {
    if (position !== null && !(await isVisible(core, position))) output.notice(BEHIND);
  };
  try {
    await core.check();
    const upToDate = async () => visible(await core.log.head());
    await run({ runtime, core, output, context, visible, upToDate });
  } finally {
    await waitFor(core.close(), CLOSE_MS);
  }
};

/**
 * The action of a command on the stores: `run` also gets what the command line gives, its arguments, its
 * options and the command.
 */
export const onStores =
  <Given extends readonly unknown[]>(
    runtime: Runtime,
    run: (stores: Stores, ...given: Given) => Promise<void>,
    options?: Readonly<{ create?: boolean }>,
  ) =>
  (...given: Given): Promise<void> => {
    // `--json` may be an option of the command above, too, which takes it first.
    const common = (given.at(-1) as Command).optsWithGlobals<Common>();
    return withStores(runtime, common, (stores) => run(stores, ...given), options);
  };

const BEHIND =
  'The read models are behind the log: lists may lack what came last. Look again in a moment; if this stays, the log of `intake serve` says why.';

/** How long reading the checkpoint may take before this process offers to update the read models itself. */
const READ_MS = 1;

/**
 * What is stored is done, and a new key's secrets are shown only once: unavailable read models must not fail
 * the command.
 */
const isVisible = async (core: ProjectPorts, position: Position): Promise<boolean> => {
  try {
    if (await core.progress.reached(position, READ_MS)) return true;
    const { settle } = await import('../projections/engine/live.ts');
    return await settle(core, position);
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
};
