import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ledByRunner, runDeclared, runLastly } from '../harness.ts';
import { processorSeconds } from './processorTime.ts';

// One of the processes of test/run.ts: runs each file that it is told, and answers with its report. Told
// null, it ends. Files share a process, since to load what they test takes longer than most of them do.
ledByRunner();

const runFile = async (file: string): Promise<void> => {
  const before = processorSeconds();
  // What the file starts has it in its environment: runner/left.ts tells whose it is.
  process.env.TEST_FILE = relative('.', file);
  await import(pathToFileURL(file).href);
  const outcome = await runDeclared();
  process.send?.({ ...outcome, processorSeconds: processorSeconds() - before });
};

process.on('message', async ({ file }: Readonly<{ file: string | null }>) => {
  if (file !== null) return runFile(file);
  process.send?.({ ...(await runLastly()), processorSeconds: 0 }, () => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
