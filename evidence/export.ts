import type { Recorded } from '../domain/kernel.ts';
import type { SubmittedFile } from '../domain/submission/events.ts';
import { evolve, type Submission } from '../domain/submission/state.ts';
import { submissionIdOf, submissionStream } from '../domain/submission.ts';
import { webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import { hashOf } from '../stores/events/hash.ts';
import { evidenceKey } from '../stores/objects/keys.ts';
import type { ObjectReader } from '../stores/objects/port.ts';
import { type CollectedStream, collectStream, type LogPorts } from './collect.ts';
import { type Copy, copyPath, type FileRecord } from './derive/files.ts';
import { submissionEvents } from './derive/known.ts';
import { deliveryEntry, documentsOf } from './derive.ts';
import {
  DOCUMENTS,
  deliveryPath,
  documentText,
  EVENTS,
  MANIFEST,
  type Manifest,
  type ManifestStream,
  README,
  SIGNATURE,
} from './format.ts';
import type { SigningKey } from './keys.ts';
import { lineOf, sha256 } from './lines.ts';
import type { Sink } from './package/sink.ts';
import { type Progress, packageWriter } from './package/writer.ts';
import { readmeOf } from './readme.ts';

export type ExportPorts = Readonly<{
  log: LogPorts;
  files: ObjectReader;
  key: SigningKey;
  now(): Date;
  /** Which release of the service exports. */
  service: string;
}>;

/** What was exported. `missing` were not in the store; of `differing` size or bytes are not what was submitted. */
export type Exported = Readonly<{
  manifest: Manifest;
  missing: readonly FileRecord[];
  differing: readonly FileRecord[];
  /** Private parts whose key was destroyed. */
  redacted: number;
}>;

type Writer = ReturnType<typeof packageWriter>;

/**
 * Writes the evidence of a submission to `sink`, signed; null when there is no such submission. Whatever goes wrong, and when the signal is
 * aborted, nothing is left. Throws `ChainBroken`, `SealBroken`.
 */
export const exportEvidence = async (
  ports: ExportPorts,
  id: string,
  makeSink: () => Sink | Promise<Sink>,
  signal: AbortSignal,
  progress: Progress,
): Promise<Exported | null> => {
  const events = await collectStream(ports.log, submissionStream(id), false);
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

const writePackage = async (
  ports: ExportPorts,
  submissionId: string,
  events: CollectedStream,
  writer: Writer,
): Promise<Exported> => {
  const submission = await writeStream(writer, EVENTS, events);
  const { streams, entries, redacted } = await writeDeliveries(ports.log, writer, events);
  const copies = await writeFiles(ports.files, writer, submissionId, events.opened);
  const documents = documentsOf(events.opened, entries, copies);
  for (const name of DOCUMENTS) await writer.text(name, documentText(documents[name]));
  const records = documents['files.json'] as readonly FileRecord[];
  const missing = records.filter(({ copy }) => copy === null);
  const facts = {
    submissionId,
    exportedAt: ports.now().toISOString(),
    service: ports.service,
    key: ports.key.publicKey.id,
  };
  const closed = redacted + redactedIn(events.opened);
  const cleared = streams.filter((stream) => (stream.events[0]?.revision ?? 0) > 0).length;
  await writer.text(README, readmeOf({ ...facts, redacted: closed, missing: missing.length, cleared }));
  const manifest: Manifest = {
    format: 'intake-evidence',
    version: 1,
    ...facts,
    submission,
    deliveries: streams,
    files: writer.files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    missing: missing.map(({ fileIndex, fileId }) => ({ fileIndex, fileId })),
  };
  await sign(writer, manifest, ports.key);
  const differing = records.filter(({ agrees }) => Object.values(agrees).includes('no'));
  return { manifest, missing, differing, redacted: closed };
};

const sign = async (writer: Writer, manifest: Manifest, key: SigningKey): Promise<void> => {
  const text = documentText(manifest);
  await writer.text(MANIFEST, text);
  await writer.text(SIGNATURE, `${key.sign(Buffer.from(text)).toString('base64')}\n`);
};

const writeStream = async (
  writer: Writer,
  path: string,
  { stored, opened }: CollectedStream,
): Promise<ManifestStream> => {
  const lines = stored.map((event, index) => lineOf(event, opened[index] ?? event));
  await writer.text(path, lines.map((line) => `${line}\n`).join(''));
  const events = stored.map((event, index) => {
    const { revision, id, type } = event;
    return { revision, id, type, hash: hashOf(event), line: sha256(lines[index] ?? '') };
  });
  const [firstHash = '', lastHash = ''] = [events[0]?.hash, events.at(-1)?.hash];
  return { path, stream: stored[0]?.stream ?? '', firstHash, lastHash, events };
};

/** Each webhook's stream in turn: of all but the one that is being written only the outcome is kept. */
const writeDeliveries = async (log: LogPorts, writer: Writer, events: CollectedStream) => {
  const streams: ManifestStream[] = [];
  const entries: (object | null)[] = [];
  let redacted = 0;
  for (const { id } of events.stored) {
    const delivery = await collectStream(log, webhookDeliveryStream(id), true);
    if (delivery.stored.length === 0) continue;
    streams.push(await writeStream(writer, deliveryPath(id), delivery));
    entries.push(deliveryEntry(delivery.opened));
    redacted += redactedIn(delivery.opened);
  }
  return { streams, entries, redacted };
};

const writeFiles = async (
  store: ObjectReader,
  writer: Writer,
  submissionId: string,
  events: readonly Recorded[],
): Promise<ReadonlyMap<string, Copy>> => {
  const state = submissionEvents(events).reduce<Submission | null>(evolve, null);
  const copies = new Map<string, Copy>();
  for (const file of state?.files ?? []) {
    const copy = await writeFile(store, writer, submissionId, file);
    if (copy) copies.set(file.fileId, copy);
  }
  return copies;
};

const writeFile = async (
  store: ObjectReader,
  writer: Writer,
  submissionId: string,
  file: SubmittedFile,
): Promise<Copy | null> => {
  const key = evidenceKey(submissionId, file);
  const head = await store.head(key);
  const bytes = head && (await store.read(key));
  if (!head || !bytes) return null;
  const { path, size, sha256, md5 } = await writer.stream(copyPath(file), bytes, false);
  return { path, size, sha256, md5, etag: head.etag };
};

const redactedIn = (events: readonly Recorded[]): number =>
  events.filter(({ data }) => {
    const { private: part } = data as Readonly<{ private?: object }>;
    return part !== undefined && 'redacted' in part;
  }).length;
