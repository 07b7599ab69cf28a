import type { RotationProgress } from '../stores/keyring/rotate.ts';
import { type Command, group, leaf } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import type { Output } from './output.ts';
import type { Runtime } from './runtime.ts';
import { whileStoppable } from './signals.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake keys …`: the keys that seal private data. */
export const addSealingKeyCommands = (program: Command, runtime: Runtime): void => {
  const keys = group(program, 'keys', 'sealing keys: their rotation (API keys: intake key)');
  leaf(keys, 'rotate', 'seal everything under a new key beside the running service; again, it goes on', [
    'intake keys rotate',
    'MASTER_KEY=… MASTER_KEY_PREVIOUS=… intake keys rotate',
  ]).action(onStores(runtime, rotate));
};

/** Between two lines of progress. */
const INTERVAL_MS = 2_000;

const rotate = async ({ core, output }: Stores): Promise<void> => {
  const rotation = await whileStoppable((signal) => core.rotateKeys(signal, progressOn(output)));
  if (rotation === null)
    throw new CommandFailed(
      'cancelled',
      'The rotation was cancelled; everything opens as before.',
      'The same command goes on with it.',
    );
  await output.answer(
    rotation,
    () =>
      `Everything is sealed under generation ${rotation.generation}: ${rotation.resealed.toLocaleString('en')} rows were sealed anew${rotation.resumed ? ', after an earlier run' : ''}.`,
  );
};

const progressOn = ({ notice, json }: Output) => {
  let shownAt = performance.now();
  return ({ resealed, seen }: RotationProgress): void => {
    if (json || performance.now() - shownAt < INTERVAL_MS) return;
    shownAt = performance.now();
    notice(`${seen.toLocaleString('en')} rows read, ${resealed.toLocaleString('en')} sealed anew`);
  };
};
