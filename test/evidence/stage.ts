import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import { webhookDeliveryStream } from '../../domain/webhookDelivery.ts';
import { deliveryIdOf } from '../../domain/webhookDeliveryEvents.ts';
import { type ExportPorts, exportEvidence } from '../../evidence/export.ts';
import { signingKey } from '../../evidence/keys.ts';
import type { Sink } from '../../evidence/package/sink.ts';
import { folderSink } from '../../evidence/package/sink.ts';
import type { Source } from '../../evidence/package/source.ts';
import type { Event } from '../../kernel/event.ts';
import { openerOf } from '../../stores/events/codec.ts';
import type { ObjectReader } from '../../stores/objects/port.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { deliveryFacts, examples, idOf, timeOf } from '../controls/events.ts';
import { temporaryStores } from '../controls/stores.ts';
import { created, processed, routing, started, submitted } from '../controls/submission.ts';

/** Signs what the tests export. */
export const key = signingKey(Buffer.alloc(32, 3));

const CONTENT = Buffer.from('{"total": 80.90}\n');

/** An object store with one content for every key, or none. */
export const objects = (content: Buffer | null = CONTENT): ObjectReader => ({
  head: async () => content && { size: content.length, etag: 'e1', mimeType: 'image/png' },
  read: async () => content && Readable.from([content.subarray(0, 5), content.subarray(5)]),
});

/** A submission that a person decided on, with corrections, and a fraud match that was resolved. */
export const decided: readonly SubmissionEvent[] = [
  created,
  submitted,
  started,
  examples.SubmissionFraudChecked,
  processed('review'),
  examples.SubmissionFraudMatchResolved,
  examples.SubmissionApproved,
];

export type ExportStage = Awaited<ReturnType<typeof exportStage>>;

/** A log with one submission, and what exports it. */
export const exportStage = async (events: readonly SubmissionEvent[] = decided) => {
  const stores = temporaryStores();
  const folder = mkdtempSync(join(tmpdir(), 'intake-evidence-'));
  let count = 0;
  const append = async (stream: string, event: Event): Promise<void> => {
    count += 1;
    const actor = { kind: 'key', id: routing.keyId } as const;
    const metadata = {
      schema: 1,
      at: timeOf(count),
      $correlationId: 'c',
      $causationId: 'c',
      actor,
      requestId: `r${count}`,
    };
    const { head } = await stores.log.load(stream);
    await stores.log.append(
      stream,
      head,
      [{ ...event, id: idOf(count), metadata }],
      () => routing.submissionId,
    );
  };
  for (const event of events) await append(submissionStream(routing.submissionId), event);
  const toEndpoints: { id: string }[] = [];
  const ports: ExportPorts = {
    log: { read: stores.events.read, open: openerOf(stores.keys) },
    deliveries: { ofSubmission: async () => toEndpoints },
    files: objects(),
    key,
    now: () => new Date('2026-11-22T10:00:00Z'),
    service: 'intake test',
  };
  return {
    ...stores,
    folder,
    ports,
    appendTo: append,
    /**
     * A delivery of the first event, to the session's address or an endpoint: sent twice, in vain at first.
     */
    deliver: async (to: Readonly<{ endpointId?: string }> = {}): Promise<string> => {
      const facts = { ...deliveryFacts, ...to, eventId: idOf(1) };
      const id = deliveryIdOf(facts);
      if (to.endpointId !== undefined) toEndpoints.push({ id });
      for (const type of ['WebhookRequested', 'WebhookAttempted', 'WebhookDelivered'] as const)
        await append(webhookDeliveryStream(id), { type, data: { ...examples[type].data, ...facts } });
      return id;
    },
    /** A redaction as its worker does it, but for the files: `ports.files` has these. */
    redact: async (): Promise<void> => {
      for (const type of ['SubmissionRedactionRequested', 'SubmissionRedacted'] as const)
        await append(submissionStream(routing.submissionId), examples[type]);
      await stores.keys.destroy(routing.submissionId, DESTRUCTION);
    },
    /** Exports into a folder of the stage. */
    exportTo: (
      name: string,
      more: Partial<ExportPorts> = {},
      sink: (path: string) => Sink | Promise<Sink> = folderSink,
    ) =>
      exportEvidence(
        { ...ports, ...more },
        routing.submissionId,
        () => sink(join(folder, name)),
        new AbortController().signal,
        () => undefined,
      ),
    /** The files of an exported folder by their paths. */
    filesOf: (name: string): Map<string, Buffer> => filesIn(join(folder, name)),
    remove: async (): Promise<void> => {
      await stores.remove();
      rmSync(folder, { recursive: true });
    },
  };
};

/** The files of a folder, with those of folders in it, by their paths. */
export const filesIn = (folder: string): Map<string, Buffer> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? [[path.slice(folder.length + 1), readFileSync(path)] as const] : [];
    }),
  );

/** A package that is nowhere but in memory. */
export const sourceOf = (files: ReadonlyMap<string, Buffer>): Source => ({
  entries: [...files].map(([path, { length }]) => ({ path, size: length, storedSize: length })),
  unexpected: [],
  read: (path) => Readable.from([files.get(path) ?? Buffer.alloc(0)]),
  close: async () => undefined,
});
