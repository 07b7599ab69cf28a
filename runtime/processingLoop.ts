import { fingerprintSubmission } from '../commands/fingerprintSubmission.ts';
import { settingsOf, withSettings } from '../domain/workflowSettings.ts';
import type { Asker, Sender } from '../outbound/send.ts';
import type { startChild } from '../processing/engine/childProcess.ts';
import { createProcessor } from '../processing/engine/processor.ts';
import { readingSteps, type StepTimes } from '../processing/engine/stopwatch.ts';
import { type ExaminePorts, examine } from '../processing/examine.ts';
import { createCapacity } from '../processing/extractor/capacity.ts';
import { createAnswerMemory, extractOverHttp } from '../processing/extractor/overHttp.ts';
import { createExtractorAvailability } from '../processing/extractor/unavailable.ts';
import { checkFraud } from '../processing/fraud/checkFraud.ts';
import { keptWords } from '../processing/keptWords.ts';
import { type ProcessingItem, processingLane } from '../projections/processingQueue.ts';
import { processSubmission } from '../reactors/processSubmissions.ts';
import type { Capacity } from '../stores/documents/port.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { timed } from '../telemetry/recording.ts';
import { tracedCall, tracedSender } from '../telemetry/traced.ts';
import type { Config } from './settings/config.ts';
import type { Core } from './wire.ts';
import { type WorkerCore, workerLoop } from './workerLoop.ts';
import { reportDelay } from './workerReports.ts';

/**
 * `startReader` starts a process that reads files; `workFolder`: where files lie while they are processed;
 * `publicUrl`: the API's public address.
 */
export type LoopPorts = Readonly<{
  objects: ObjectStore;
  sender: Sender & Asker;
  startReader: typeof startChild;
  workFolder: string;
  publicUrl: string;
}>;

/** What the loop takes of the core. */
export type ProcessingCore = WorkerCore &
  Pick<Core, 'handle' | 'log' | 'clock' | 'ids' | 'recorder' | 'nameOf'> &
  Pick<Core, 'fraudIndex' | 'companies' | 'matchPatterns' | 'sealedIn' | 'workflows'>;

/**
 * Claims submissions that wait for processing and reads them in child processes, which end with the signal.
 */
export const processingLoop = (
  { workers, secretOf }: Pick<Config, 'workers' | 'secretOf'>,
  core: ProcessingCore,
  { objects, sender, startReader, workFolder }: Omit<LoopPorts, 'publicUrl'>,
  signal: AbortSignal,
): Promise<void> => {
  const { recorder } = core;
  const onRead = (times: StepTimes): void => {
    for (const step of readingSteps) if (times[step] > 0) recorder.stepTaken(step, times[step]);
  };
  const processor = createProcessor({ concurrency: workers, onRead }, startReader);
  const ofProcess = createCapacity(workers);
  const capacity = (running: number): Capacity => {
    recorder.processing(ofProcess.working(running), workers);
    return ofProcess.next(running);
  };
  const elsewhere = <T>(wait: () => Promise<T>): Promise<T> =>
    timed(wait, (durationMs) => recorder.stepTaken('elsewhere', durationMs))();
  const availability = createExtractorAvailability();
  const overHttp = extractOverHttp({
    asker: tracedSender(sender, core.tracing, 'extractor'),
    processor,
    secretOf,
    withMemory: createAnswerMemory(),
    waiting: ({ routing, readBy }, wait) =>
      ofProcess.waitingFor(processingLane(routing, readBy), () => elsewhere(wait)),
    clock: core.clock,
  });
  const extract = availability.observing(overHttp);
  const { isUnavailable } = availability;
  const work = workOn(core, { objects, processor, extract, isUnavailable, workFolder });
  return workerLoop<ProcessingItem>(core, {
    name: 'processing',
    queue: 'processingQueue',
    needs: ['events', 'objects'],
    capacity,
    work,
    signal,
  }).finally(processor.close);
};

type ReadingPorts = Omit<ExaminePorts, 'clock' | 'onFetched' | 'onRead'>;

/** A version with what the company has set of its workflow (workflows-20). */
const versionFor =
  ({ workflows, companies }: Pick<Core, 'workflows' | 'companies'>) =>
  async (slug: string, version: number, companyId: string) => {
    const [found, company] = await Promise.all([
      workflows.remembered(slug, version),
      companies.find(companyId),
    ]);
    return found && withSettings(found, settingsOf(company?.workflows, slug));
  };

const workOn = (core: ProcessingCore, ports: ReadingPorts) => {
  const { clock, recorder, report } = core;
  const { objects } = ports;
  const onFetched = (durationMs: number): void => recorder.stepTaken('fetch', durationMs);
  const check = checkFraud({
    ...core,
    fingerprint: fingerprintSubmission(core.handle, core.log),
    index: core.fraudIndex,
    processor: ports.processor,
    onSkipped: recorder.pairsSkipped,
    hide: (...trait) => core.nameOf('fingerprint', ...trait),
  });
  const read = examine({ ...ports, clock, onFetched, onRead: recorder.pagesRead });
  return processSubmission({
    ...core,
    version: versionFor(core),
    words: keptWords({ sealed: core.sealedIn(objects), objects, report }),
    examine: tracedCall(timed(read, recorder.examined), core.tracing, 'read files'),
    checkFraud: timed(check, (durationMs) => recorder.stepTaken('fraud', durationMs)),
    onDelayed: reportDelay(core.report),
  });
};
