import { Readable } from 'node:stream';
import type { Routing } from '../domain/submission/routing.ts';
import { submissionIdOf, submissionStream } from '../domain/submission/submission.ts';
import { eventIdOf } from '../domain/webhookDelivery.ts';
import { SealBroken } from '../kernel/errors.ts';
import { groupBy } from '../kernel/groupBy.ts';
import type { ObjectReader } from '../stores/objects/port.ts';
import {
  ChainBroken,
  type CollectedStream,
  collectStream,
  EventsNotFoldable,
  folded,
  type LogPorts,
} from './collect.ts';
import type { FileRecord } from './derive/files.ts';
import { submissionEvents } from './derive/supported.ts';
import { documentsOf } from './derive.ts';
import { submittedFiles, writeFiles } from './export/files.ts';
import { redactedIn, writeDeliveries, writeStream } from './export/streams.ts';
import { DOCUMENTS, documentText, EVENTS, MANIFEST, type Manifest, README, SIGNATURE } from './format.ts';
import type { SigningKey } from './keys.ts';
import { nowhere, type Sink } from './package/sink.ts';
import { type PackageWriter, type Progress, packageWriter } from './package/writer.ts';
import { readmeOf } from './readme.ts';
import { PackageTooLarge } from './sizes.ts';

/** What an export needs. */
export type ExportPorts = Readonly<{
  log: LogPorts;
  /**
   * The deliveries of a submission, as the read models have them: of the log's streams these give the names.
   */
  deliveries: Readonly<{ ofSubmission(of: Routing): Promise<readonly Readonly<{ id: string }>[]> }>;
  files: ObjectReader;
  key: SigningKey;
  now(): Date;
  /** The exporting release of the service. */
  service: string;
}>;

export type Exported = Readonly<Awaited<ReturnType<typeof writePackage>>>;

/**
 * Writes the signed evidence of a submission to `sink`; null when there is no such submission. After an error
 * or an abort nothing remains. Throws `ChainBroken`, `SealBroken`, `EventsNotFoldable`, `PackageTooLarge`.
 */
export const exportEvidence = async (
  ports: ExportPorts,
  id: string,
  makeSink: () => Sink | Promise<Sink>,
  signal: AbortSignal,
  progress: Progress,
): Promise<Exported | null> => {
  const events = await foldableEvents(ports.log, id);
  if (events.stored.length === 0) return null;
  const sink = await makeSink();
  try {
    const exported = await writePackage(
      ports,
      submissionIdOf(id),
      events,
      packageWriter(sink, signal, progress),
    );
    await sink.finish();
    return exported;
  } catch (error) {
    await sink.discard();
    throw error;
  }
};

/**
 * Makes the package once without the bytes of its files, and keeps nothing. Throws what `exportEvidence`
 * would, before there is anything that could break off.
 */
export const requireExportable = async (
  ports: Omit<ExportPorts, 'files'>,
  id: string,
  signal: AbortSignal,
): Promise<void> => {
  await exportEvidence(
    { ...ports, files: emptyFiles },
    id,
    () => nowhere,
    signal,
    () => undefined,
  );
};

/** A log that nobody may rely on, or more than any verifier reads. */
const REFUSALS = [ChainBroken, EventsNotFoldable, SealBroken, PackageTooLarge];

/** Whether there is no evidence of a submission for a reason that stays. */
export const isRefusal = (error: unknown): error is Error => REFUSALS.some((kind) => error instanceof kind);

const emptyFiles: ObjectReader = {
  head: async () => ({ size: 0, etag: '', mimeType: 'application/octet-stream' }),
  read: async () => Readable.from([]),
};

/**
 * The stream of a submission, empty when there is none. Throws `ChainBroken`, `SealBroken`,
 * `EventsNotFoldable`.
 */
const foldableEvents = async (log: LogPorts, id: string): Promise<CollectedStream> => {
  const events = await collectStream(log, submissionStream(id), false);
  folded(events.opened, (some) => [
    documentsOf(some, [], new Map()),
    submittedFiles(submissionIdOf(id), some),
  ]);
  return events;
};

/**
 * Gives what was exported. `missing` files were not in the store, or damaged there (`damaged`: their ids);
 * `differing` ones are not as they were submitted.
 */
const writePackage = async (
  ports: ExportPorts,
  submissionId: string,
  events: CollectedStream,
  writer: PackageWriter,
) => {
  const submission = await writeStream(writer, EVENTS, events);
  const {
    streams: deliveries,
    entries,
    redacted,
  } = await writeDeliveries(ports.log, writer, await deliveryIdsOf(ports, events));
  const { copies, damaged } = await writeFiles(ports.files, writer, submissionId, events.opened);
  const documents = documentsOf(events.opened, entries, copies);
  for (const name of DOCUMENTS) await writer.text(name, documentText(documents[name]));
  const records = documents['files.json'] as readonly FileRecord[];
  const exported = {
    missing: records.filter(({ copy }) => copy === null),
    damaged,
    differing: records.filter(({ agrees }) => Object.values(agrees).includes('no')),
    /** Private parts whose key was destroyed. */
    redacted: redacted + redactedIn(events.opened),
  };
  const missing = exported.missing.map(({ fileIndex, fileId }) => ({ fileIndex, fileId }));
  const manifest = await conclude(
    ports,
    writer,
    { submissionId, submission, deliveries, missing },
    { redacted: exported.redacted, damaged: damaged.size },
  );
  return { ...exported, manifest };
};

/**
 * The deliveries that events may have caused, in the events' order: to the session's address, then to
 * endpoints.
 */
const deliveryIdsOf = async (
  { deliveries }: ExportPorts,
  { stored, opened }: CollectedStream,
): Promise<readonly string[]> => {
  const [first] = submissionEvents(opened);
  const found = first ? await deliveries.ofSubmission(first.data) : [];
  const byEvent = groupBy(found, ({ id }) => eventIdOf(id));
  return stored.flatMap(({ id }) => [...new Set([id, ...(byEvent.get(id) ?? []).map((one) => one.id)])]);
};

type Contents = Pick<Manifest, 'submissionId' | 'submission' | 'deliveries' | 'missing'>;

/** Writes the README, the manifest and its signature. */
const conclude = async (
  { key, now, service }: ExportPorts,
  writer: PackageWriter,
  contents: Contents,
  losses: Readonly<{ redacted: number; damaged: number }>,
): Promise<Manifest> => {
  const { submissionId, submission, deliveries, missing } = contents;
  const facts = { submissionId, exportedAt: now().toISOString(), service, key: key.publicKey.id };
  const cleared = deliveries.filter(({ events }) => (events[0]?.revision ?? 0) > 0).length;
  await writer.text(README, readmeOf({ ...facts, ...losses, missing: missing.length, cleared }));
  const files = writer.files.map(({ path, size, sha256 }) => ({ path, size, sha256 }));
  const manifest: Manifest = {
    format: 'intake-evidence',
    version: 2,
    ...facts,
    submission,
    deliveries,
    files,
    missing,
  };
  const text = documentText(manifest);
  await writer.text(MANIFEST, text);
  await writer.text(SIGNATURE, `${key.sign(Buffer.from(text)).toString('base64')}\n`);
  return manifest;
};
