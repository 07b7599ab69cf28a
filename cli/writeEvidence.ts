import { submissionIdOf } from '../domain/submission/submission.ts';
import { type Exported, type ExportPorts, exportEvidence } from '../evidence/export.ts';
import { contentsOf } from '../evidence/format.ts';
import type { SigningKey } from '../evidence/keys.ts';
import { folderSink, zipSink } from '../evidence/package/sink.ts';
import type { Progress } from '../evidence/package/writer.ts';
import { counted } from '../kernel/counted.ts';
import { DomainError } from '../kernel/decider.ts';
import { pick } from '../kernel/pick.ts';
import { version } from '../kernel/version.ts';
import type { ObjectReader } from '../stores/objects/port.ts';
import { CommandFailed } from './failure.ts';
import type { Output } from './output.ts';
import { whileStoppable } from './signals.ts';
import type { Stores } from './stores.ts';

/** What an export to a place on this machine works with. */
export type Order = Pick<Stores, 'core' | 'output'> &
  Readonly<{ files: ObjectReader; key: SigningKey; out: string | null }>;

/** The ports of an export. */
export const portsOf = ({ core, files, key }: Order): ExportPorts => ({
  ...{ log: { read: core.events.read, open: core.open }, deliveries: core.deliveries, files, key },
  ...{ now: core.clock.now, service: `intake ${version}` },
});

/**
 * Exports the evidence of a submission to a folder or a zip file, and reports what was exported. Leaves
 * nothing when it is cancelled.
 */
export const writeEvidence = async ({ id, ...order }: Order & Readonly<{ id: string }>): Promise<void> => {
  const { out, output } = order;
  const path = out ?? `evidence-${submissionIdOf(id)}`;
  const makeSink = () => (path.toLowerCase().endsWith('.zip') ? zipSink(path) : folderSink(path));
  const exported = await whileStoppable((signal) =>
    exportEvidence(portsOf(order), id, makeSink, signal, progressOn(output)).catch((error) => {
      throw signal.aborted
        ? new CommandFailed('cancelled', 'The export was cancelled, and has left nothing.')
        : error;
    }),
  );
  if (!exported) throw new DomainError('SubmissionNotFound', `There is no submission ${id} here.`);
  for (const notice of noticesOf(exported)) output.notice(notice);
  const summary = summaryOf(path, exported);
  await output.answer(summary, () => textOf(summary));
};

const summaryOf = (path: string, { manifest, missing, damaged, differing, redacted }: Exported) => ({
  path,
  ...pick(manifest, 'submissionId', 'exportedAt', 'key'),
  ...contentsOf(manifest),
  bytes: manifest.files.reduce((sum, { size }) => sum + size, 0),
  redacted,
  missing: missing.map(({ fileId, fileIndex, label }) => ({
    ...{ fileId, fileIndex, label },
    reason: damaged.has(fileId) ? 'damaged' : 'not_found',
  })),
  differing: differing.map(({ fileId, fileIndex, label, agrees }) => ({ fileId, fileIndex, label, agrees })),
});

const textOf = ({ path, events, deliveries, files, bytes, key }: ReturnType<typeof summaryOf>): string =>
  [
    `${path} holds ${counted(events, 'event')}, ${counted(deliveries, 'webhook')} and ${counted(files, 'file')} (${bytes} bytes), signed with the key ${key}.`,
    `To check it anywhere: intake audit verify ${path} --key PUBLICKEY (\`intake audit key\` prints the key).`,
  ].join('\n');

const noticesOf = ({ missing, damaged, differing, redacted }: Exported): readonly string[] => [
  ...missing.map(
    ({ fileIndex, fileId }) =>
      `File ${fileIndex} (${fileId}) is ${damaged.has(fileId) ? 'damaged' : 'missing'} in the store and left out: the package says so.`,
  ),
  ...differing.map(
    ({ fileIndex, fileId }) =>
      `File ${fileIndex} (${fileId}) is not what was submitted: files.json says in what it differs.`,
  ),
  ...(redacted > 0
    ? [
        `${counted(redacted, 'private part')} ${redacted === 1 ? 'is' : 'are'} redacted: the key was destroyed.`,
      ]
    : []),
];

const STEP_BYTES = 64 * 1024 ** 2;

/** A line for every 64 MiB of a large file. */
const progressOn = (output: Output): Progress => {
  let current = '';
  let reported = 0;
  return (path, bytes) => {
    if (path !== current) [current, reported] = [path, 0];
    if (bytes - reported < STEP_BYTES) return;
    reported = bytes;
    output.notice(`${path}: ${Math.round(bytes / 1024 ** 2)} MiB so far`);
  };
};
