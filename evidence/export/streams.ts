import { webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import type { Recorded } from '../../kernel/event.ts';
import { hashOf } from '../../stores/events/hash.ts';
import { type CollectedStream, collectStream, folded, type LogPorts } from '../collect.ts';
import { deliveryEntry } from '../derive.ts';
import { sha256 } from '../digest.ts';
import { deliveryPath, lineOf, type ManifestStream } from '../format.ts';
import type { PackageWriter } from '../package/writer.ts';
import { refuseLargeStream } from '../sizes.ts';

/** Writes a stream, one event a line; gives its entry in the manifest. */
export const writeStream = async (
  writer: PackageWriter,
  path: string,
  { stored, opened }: CollectedStream,
): Promise<ManifestStream> => {
  const lines = stored.map((event, index) => lineOf(event, opened[index] ?? event));
  refuseLargeStream(path, lines);
  await writer.text(path, lines.map((line) => `${line}\n`).join(''));
  const events = stored.map((event, index) => {
    const { revision, id, type } = event;
    return { revision, id, type, hash: hashOf(event), line: sha256(lines[index] ?? '') };
  });
  const [firstHash = '', lastHash = ''] = [events[0]?.hash, events.at(-1)?.hash];
  return { path, stream: stored[0]?.stream ?? '', firstHash, lastHash, events };
};

/**
 * Writes the streams of these deliveries that there are, one after the other, so that only one is in memory.
 * `entries` are for `deliveries.json`, `redacted` counts private parts whose key was destroyed.
 */
export const writeDeliveries = async (log: LogPorts, writer: PackageWriter, ids: readonly string[]) => {
  const streams: ManifestStream[] = [];
  const entries: (object | null)[] = [];
  let redacted = 0;
  for (const id of ids) {
    const delivery = await collectStream(log, webhookDeliveryStream(id), true);
    if (delivery.stored.length === 0) continue;
    streams.push(await writeStream(writer, deliveryPath(id), delivery));
    entries.push(folded(delivery.opened, deliveryEntry));
    redacted += redactedIn(delivery.opened);
  }
  return { streams, entries, redacted };
};

/** How many private parts can't be opened any more. */
export const redactedIn = (events: readonly Recorded[]): number =>
  events.filter(({ data }) => {
    const { private: part } = data as Readonly<{ private?: object }>;
    return part !== undefined && 'redacted' in part;
  }).length;
