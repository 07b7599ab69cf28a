import * as assert from 'uvu/assert';
import type { WorkflowDefinition } from '../../domain/workflow.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Processor } from '../../processing/engine/processor.ts';
import { tryFile } from '../../processing/tryFile.ts';
import { withDefaults } from '../../schemas/workflowDefinition.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';

const test = suite('turns of documents on trial');
const definition: WorkflowDefinition = withDefaults(
  JSON.parse(JSON.stringify(receiptDefinition)) as Parameters<typeof withDefaults>[0],
);
const file = {
  fileId: 'fil_01hv6x3m8q2r5t7w9y0a1b2c3d',
  fileName: null,
  mimeType: 'text/plain',
  content: Buffer.from('Total 80.90'),
};
const staying = new AbortController().signal;

/** Trials whose check ends when it is told to, or when its signal is aborted. */
const world = () => {
  const begun: (() => void)[] = [];
  const unasked = () => Promise.reject(new Error('not asked here'));
  const processor: Pick<Processor, 'process' | 'check' | 'list' | 'draw' | 'close'> = {
    check: (_formats, _files, signal) =>
      new Promise((resolve, reject) => {
        begun.push(() => resolve({ kind: 'failed', reason: 'is damaged' }));
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    process: unasked,
    list: unasked,
    draw: unasked,
    close: async () => undefined,
  };
  const trials = tryFile({ processor, clock: systemClock });
  return { begun, trials, run: (gone = staying) => trials.run(definition, file, gone) };
};

test('one is read at once, another is refused; the next one follows once it has ended [workflows-19]', async () => {
  const { begun, run } = world();
  const first = run();
  assert.equal(await run(), { kind: 'busy', isLate: false });
  begun[0]?.();
  assert.equal(await first, { kind: 'refused', reason: 'is damaged' });
  const next = run();
  begun[1]?.();
  assert.is((await next).kind, 'refused');
});

test('the trial of a client that has gone ends, and makes room [workflows-19]', async () => {
  const { begun, run } = world();
  const leaving = new AbortController();
  const first = run(leaving.signal);
  leaving.abort();
  assert.equal(await first, { kind: 'busy', isLate: true });
  const next = run();
  begun[1]?.();
  assert.is((await next).kind, 'refused');
});

test('a stop ends what is read, and nothing is read after it', async () => {
  const { trials, run } = world();
  const first = failure(run());
  await trials.close();
  assert.is((await first).name, 'StoreUnavailable');
  assert.is((await failure(run())).name, 'StoreUnavailable');
});
