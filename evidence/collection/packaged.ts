import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { submissionStream } from '../../domain/submission/submission.ts';
import { hashOf } from '../../stores/events/hash.ts';
import { readStream } from '../collect.ts';
import { type ExportPorts, exportEvidence, isRefusal } from '../export.ts';
import type { Manifest } from '../format.ts';
import { openPackage } from '../package/open.ts';
import { zipSink } from '../package/sink.ts';
import { NoPackage } from '../package/source.ts';
import { verifyPackage } from '../verify.ts';
import { fileDigest } from './folder.ts';
import { type Entry, type Listed, packageName } from './format.ts';

type Packaged = Readonly<{ entry: Entry; manifest: Manifest | null; isKept: boolean }>;

/**
 * Makes the package of a submission, unless the folder has it already; `manifest` is null without one.
 */
export const packaged = async (
  ports: ExportPorts,
  folder: string,
  listed: Listed,
  signal: AbortSignal,
): Promise<Packaged> => {
  signal.throwIfAborted();
  const file = packageName(listed.submissionId);
  const path = join(folder, file);
  const kept = await rightPackage(ports, path, listed.submissionId);
  try {
    const manifest = kept ?? (await makePackage(ports, path, listed.submissionId, signal));
    const { sha256 } = await fileDigest(path);
    return { entry: { ...listed, file, sha256, refused: null }, manifest, isKept: kept !== null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const entry = { ...listed, file: null, sha256: null, refused: error.message };
    return { entry, manifest: null, isKept: false };
  }
};

const makePackage = async (
  ports: ExportPorts,
  path: string,
  submissionId: string,
  signal: AbortSignal,
): Promise<Manifest> => {
  await rm(path, { force: true });
  const exported = await exportEvidence(
    ports,
    submissionId,
    () => zipSink(path),
    signal,
    () => undefined,
  );
  if (exported) return exported.manifest;
  throw new Error(`The log has no events of ${submissionId}, which the read models list.`);
};

/**
 * The manifest of a package that holds, and ends with the last event that the log has of the submission: one
 * of before a redaction is not kept. Null for any other, and for none.
 */
const rightPackage = async (
  { log, key }: ExportPorts,
  path: string,
  submissionId: string,
): Promise<Manifest | null> => {
  if (!(await lstat(path).catch(() => null))?.isFile()) return null;
  const manifest = await verifiedManifest(path, key.publicKey);
  const last = (await readStream(log.read, submissionStream(submissionId))).at(-1);
  const isRight = manifest?.submissionId === submissionId && last !== undefined;
  return isRight && manifest.submission.lastHash === hashOf(last) ? manifest : null;
};

const verifiedManifest = async (
  path: string,
  key: ExportPorts['key']['publicKey'],
): Promise<Manifest | null> => {
  try {
    const source = await openPackage(path);
    const { manifest, findings } = await verifyPackage(source, key).finally(source.close);
    return findings.length === 0 ? manifest : null;
  } catch (error) {
    if (error instanceof NoPackage) return null;
    throw error;
  }
};
