import { LeaseLost } from '../../kernel/errors.ts';
import type { Position } from '../../kernel/event.ts';
import type { Report } from '../../kernel/report.ts';
import { holding, LEASE_MS, underLease } from '../../stores/documents/lease.ts';
import type { Fence } from '../../stores/documents/port.ts';
import type { Quarantined } from './fold.ts';
import type { FoldPorts } from './foldLog.ts';
import type { Progress } from './progress.ts';
import { handledBy, type Projection } from './projection.ts';
import { type ReadModel, versionOf } from './readModels.ts';
import { prepareProjections, runProjections } from './runner.ts';

export type ProjectPorts = FoldPorts &
  Readonly<{
    projections: readonly Projection[];
    progress: Progress;
    recorder: Recorder;
    owner: string;
    report: Report;
  }>;

/** The lease of the process that makes the live read models. */
export const LIVE_LEASE = 'projections';
/** Less than a command commits at once: this process answers requests at the same time. */
const PAGE = 2_000;

/** `projected`: a live read model has handled so many more events. */
type Recorder = Readonly<{ projected(projection: string, events: number): void }>;

/** Keeps the live read models up to date while this process holds their lease. */
export const projectLive = (ports: ProjectPorts, signal: AbortSignal): Promise<void> =>
  underLease(ports.documents.leases, LIVE_LEASE, ports.owner, signal, (fence, held) =>
    project(ports, fence, held),
  );

/**
 * Waits until the live read models include `position`. If no server makes them, this process does. False when
 * a server holds the lease and does not get there within `timeoutMs`.
 */
export const settle = async (
  ports: ProjectPorts,
  position: Position | null,
  timeoutMs = 5_000,
): Promise<boolean> => {
  if (position === null) return true;
  const { leases } = ports.documents;
  const fence = await leases.acquire(LIVE_LEASE, ports.owner, LEASE_MS);
  if (!fence) return ports.progress.reached(position, timeoutMs);
  const stop = new AbortController();
  return holding(leases, fence, stop.signal, async (held) => {
    const running = project(ports, fence, held).catch((error: Error) => {
      // A server that starts takes the lease and brings the read models there. So does a newer release.
      if (!(error instanceof LeaseLost || error instanceof NewerReadModels)) throw error;
    });
    const reached = Promise.race([ports.progress.reached(position, 3_600_000), running.then(() => false)]);
    const done = await reached.finally(() => stop.abort());
    await running;
    return done || ports.progress.reached(position, timeoutMs);
  });
};

/** The read models were made by a newer release: this one must not touch them. */
export class NewerReadModels extends Error {
  override readonly name = 'NewerReadModels';

  constructor(newer: readonly ReadModel[]) {
    const names = newer.map(
      ({ projection, collection }) =>
        `${projection.name} (version ${versionOf(collection)}, ours is ${projection.version})`,
    );
    super(
      `A newer release has made these read models: ${names.join(', ')}. Run that one, or \`intake projections rebuild --all\` to go back.`,
    );
  }
}

const project = async (ports: ProjectPorts, fence: Fence, signal: AbortSignal): Promise<void> => {
  const { projections, documents, report } = ports;
  const states = await prepareProjections(projections, documents.models);
  if (states.newer.length > 0) throw new NewerReadModels(states.newer);
  // Not as `key`: the log cuts members of that name out.
  const onQuarantine = ({ key: document, ...facts }: Quarantined): void =>
    report.error('a document was quarantined: its projection threw on an event', { ...facts, document });
  const onPage = counting(states.live, ports.recorder);
  await runProjections({ ...ports, states, fence, signal, page: PAGE, onQuarantine, onPage });
};

const counting = (live: readonly ReadModel[], { projected }: Recorder) => {
  const names = new Map<string, string[]>();
  for (const { projection } of live)
    for (const type of handledBy(projection)) names.set(type, [...(names.get(type) ?? []), projection.name]);
  return (types: ReadonlyMap<string, number>): void => {
    for (const [type, events] of types) for (const name of names.get(type) ?? []) projected(name, events);
  };
};
