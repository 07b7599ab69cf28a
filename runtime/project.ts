import type { Position } from '../domain/kernel.ts';
import { allProjections } from '../projections/all.ts';
import type { Quarantined } from '../projections/fold.ts';
import type { Progress } from '../projections/progress.ts';
import { prepareProjections, runProjections } from '../projections/runner.ts';
import type { DocumentStore, Fence } from '../stores/documents/port.ts';
import { LeaseLost } from '../stores/errors.ts';
import type { EventLog } from '../stores/events/log.ts';
import { holding, LEASE_MS, type Report, underLease } from './supervise.ts';

export type ProjectPorts = Readonly<{
  log: EventLog;
  documents: DocumentStore;
  progress: Progress;
  owner: string;
  report: Report;
}>;

/** The lease of the process that makes the live read models. */
const LEASE = 'projections';
const PAGE = 500;

/** Keeps the live read models up to date while this process holds their lease, until the signal is aborted. */
export const projectLive = (ports: ProjectPorts, signal: AbortSignal): Promise<void> =>
  underLease(ports.documents.leases, LEASE, ports.owner, signal, (fence, held) =>
    project(ports, fence, held),
  );

/**
 * For a command that comes and goes: resolves when the read models show `position`. If no server makes them, this process does,
 * up to there. False when a server holds them and is not done within `timeoutMs`.
 */
export const settle = async (
  ports: ProjectPorts,
  position: Position | null,
  timeoutMs = 5_000,
): Promise<boolean> => {
  if (position === null) return true;
  const { leases } = ports.documents;
  const fence = await leases.acquire(LEASE, ports.owner, LEASE_MS);
  if (!fence) return ports.progress.reached(position, timeoutMs);
  const stop = new AbortController();
  return holding(leases, fence, stop.signal, async (held) => {
    const running = project(ports, fence, held).catch((error: Error) => {
      // A server that starts takes the lease: from then on it brings the read models there.
      if (!(error instanceof LeaseLost)) throw error;
    });
    const reached = Promise.race([ports.progress.reached(position, 3_600_000), running.then(() => false)]);
    const done = await reached.finally(() => stop.abort());
    await running;
    return done || ports.progress.reached(position, timeoutMs);
  });
};

const project = async (ports: ProjectPorts, fence: Fence, signal: AbortSignal): Promise<void> => {
  const { log, documents, progress, report } = ports;
  await prepareProjections(allProjections, documents.models);
  // Not as `key`: the log cuts members of that name out.
  const onQuarantine = ({ key: document, ...facts }: Quarantined): void =>
    report.error('a document was quarantined: its projection threw on an event', { ...facts, document });
  const projections = allProjections;
  await runProjections({ projections, log, documents, progress, fence, signal, page: PAGE, onQuarantine });
};
