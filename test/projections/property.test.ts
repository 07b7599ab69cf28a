import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Position, Recorded } from '../../kernel/event.ts';
import { allProjections } from '../../projections/all.ts';
import { foldLog } from '../../projections/engine/foldLog.ts';
import { createProgress } from '../../projections/engine/progress.ts';
import { handledBy } from '../../projections/engine/projection.ts';
import { servedReadModels } from '../../projections/engine/readModels.ts';
import { runRebuild } from '../../projections/engine/rebuild/leased.ts';
import type { RebuildEvent } from '../../projections/engine/rebuild/rebuild.ts';
import { prepareProjections, runProjections } from '../../projections/engine/runner.ts';
import { submissionAnswers } from '../../projections/submissionAnswers.ts';
import { submissionAsOf } from '../../projections/submissionFromLog.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import type { DocumentStore } from '../../stores/documents/port.ts';
import { wholeLogs } from '../controls/histories.ts';
import { memoryDocuments, memoryLog, type Plan } from '../controls/memory.ts';
import { withStores } from '../controls/stores.ts';
import { drawSeed, rounds, suite } from '../harness.ts';

const test = suite('replay over random histories');

const HISTORIES = rounds(100, 10_000);
const SEED = drawSeed(`${HISTORIES} histories replayed`);

/** Sizes of pages. */
const plan: fc.Arbitrary<Plan> = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });

const failed = (quarantined: object): never => {
  throw new Error(`a history was quarantined: ${JSON.stringify(quarantined)}`);
};

/** The live read models of a log, made as a server makes them; `onShown` hears up to where they are shown. */
const runLive = async (
  documents: DocumentStore,
  events: readonly Recorded[],
  sizes: Plan,
  onShown: (position: Position) => void = () => undefined,
): Promise<void> => {
  const stop = new AbortController();
  const log = memoryLog(events, sizes);
  const fence = await documents.leases.take('projections', 'live', 60_000);
  const states = await prepareProjections(allProjections, documents.models);
  const end = events.at(-1)?.position;
  const advanced = (position: Position): void => {
    onShown(position);
    if (position === end) stop.abort();
  };
  const progress = { ...createProgress(async () => null), advanced };
  const options = { states, log, documents, progress, fence, page: 1, onQuarantine: failed };
  await runProjections({ ...options, signal: stop.signal, onPage: () => undefined });
};

/** The documents that serve, as JSON. */
const documentsOf = async ({ models }: DocumentStore, events: readonly Recorded[]): Promise<string> => {
  const served = await servedReadModels(allProjections, models);
  const all = await Promise.all(
    served.map(async ({ projection, collection }) => {
      const handled = events.filter(({ type }) => handledBy(projection).includes(type));
      const keys = [...new Set(handled.flatMap((event) => projection.keys(event)))].sort();
      const stored = await models.stored(collection, keys);
      return keys.map((key) => [projection.name, key, stored.get(key)?.document ?? null]);
    }),
  );
  return JSON.stringify(all);
};

/**
 * Reads as many events at once as the plan says first, and commits as many as it says last, if that is more:
 * then several pages are buffer.
 */
const rebuildAll = async (
  documents: DocumentStore,
  events: readonly Recorded[],
  sizes: Plan,
): Promise<void> => {
  const { signal } = new AbortController();
  const onEvent = (told: RebuildEvent): void => {
    if (told.event === 'quarantined') failed(told);
    if (told.event === 'compared') assert.equal(told.differences, []);
  };
  const options = { log: memoryLog(events, []), documents, owner: 'test', signal, onEvent };
  const [read = 1] = sizes;
  const page = Math.max(read, 4 * (sizes.at(-1) ?? 1));
  assert.ok(await runRebuild({ ...options, page, read, patienceMs: 0, graceMs: 0 }, allProjections));
};

/** Gives the log once more from behind an older position, as a runner does whose checkpoint was lost. */
const redeliver = async (
  documents: DocumentStore,
  events: readonly Recorded[],
  sizes: Plan,
  after: Position | null,
): Promise<void> => {
  const readModels = await servedReadModels(allProjections, documents.models);
  const fence = await documents.leases.take('projections', 'again', 60_000);
  const { signal } = new AbortController();
  const options = {
    fence,
    signal,
    page: 1,
    quarantinedFrom: new Map(),
    movesCheckpoints: false,
    until: 'end' as const,
  };
  const ports = { log: memoryLog(events, sizes), documents };
  await foldLog(ports, readModels, { ...options, after, onQuarantine: async (held) => failed(held) });
};

const replays = fc.asyncProperty(
  wholeLogs,
  fc.array(plan, { minLength: 4, maxLength: 4 }),
  fc.nat(),
  async (events, [live, once, twice, again], back) =>
    replayed(memoryDocuments(), events, { live, once, twice, again, back }),
);

type Plans = Readonly<Record<'live' | 'once' | 'twice' | 'again', Plan | undefined>> &
  Readonly<{ back: number }>;

const replayed = async (
  documents: DocumentStore,
  events: readonly Recorded[],
  { live = [1], once = [1], twice = [1], again = [1], back }: Plans,
): Promise<void> => {
  await runLive(documents, events, live);
  const expected = await documentsOf(documents, events);
  await redeliver(documents, events, again, events[back % (events.length + 1)]?.position ?? null);
  assert.is(await documentsOf(documents, events), expected, 're-cut and redelivered');
  await rebuildAll(documents, events, once);
  assert.is(await documentsOf(documents, events), expected, 'rebuilt once');
  await rebuildAll(documents, events, twice);
  assert.is(await documentsOf(documents, events), expected, 'rebuilt twice');
};

test(
  'live, rebuilt once and twice, and redelivered from any older checkpoint: equal documents',
  async () => {
    await fc.assert(replays, { numRuns: HISTORIES, seed: SEED });
  },
  { timeoutMs: 60_000 + HISTORIES * 20 },
);

test(
  'the same on the embedded store',
  withStores(async ({ documents }) => {
    const [events] = fc.sample(wholeLogs, { numRuns: 1, seed: SEED });
    await replayed(documents, events ?? [], { live: [3, 1], once: [2], twice: [7], again: [1, 5], back: 4 });
  }),
);

/** What GET /submissions/{id} shows. */
const shownOf = (document: SubmissionDocument | null): string | null =>
  document && submissionAnswers.detail(document);

test(
  'any prefix of a stream folds to what was visible at that time',
  async () => {
    const property = fc.asyncProperty(wholeLogs, async (events) => {
      const documents = memoryDocuments();
      const looks: Promise<Readonly<{ event: Recorded; shown: string | null }>>[] = [];
      const look = async (event: Recorded, submissionId: string) => ({
        event,
        shown: shownOf(await documents.models.get<SubmissionDocument>('submissions', submissionId)),
      });
      await runLive(documents, events, [1], (position) => {
        const event = events.find((one) => one.position === position);
        if (event?.stream.startsWith('submission-'))
          looks.push(look(event, (event.data as { submissionId: string }).submissionId));
      });
      const past = submissionAsOf(memoryLog(events, [1]));
      for (const { event, shown } of await Promise.all(looks)) {
        const { submissionId } = event.data as { submissionId: string };
        const document = await documents.models.get<SubmissionDocument>('submissions', submissionId);
        if (!document) throw new Error(`${submissionId} is not shown`);
        const { revision, metadata } = event;
        assert.is(shownOf(await past.at(document, { revision })), shown);
        assert.is(shownOf(await past.at(document, { time: metadata.at })), shown);
      }
    });
    await fc.assert(property, { numRuns: rounds(50, 2_000), seed: SEED });
  },
  { timeoutMs: 60_000 + HISTORIES * 20 },
);
