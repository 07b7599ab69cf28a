import { eventIdOf, submissionStream, webhookDeliveryStream } from '../../domain/streamNames.ts';
import { faultIf } from '../../kernel/fault.ts';
import { areEqual, bytesOf, fromBase64, textOf } from '../bytes.ts';
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
  streamsOf,
} from '../format.ts';
import { MAX_MANIFEST, MAX_UNSIGNED_MANIFEST } from '../limits.ts';
import type { Source } from '../package/source.ts';
import { readWhole } from './content.ts';
import { type Finding, finding, unreadable } from './findings.ts';
import { parsed } from './json.ts';
import type { Platform, Verifier } from './platform.ts';

const SIGNATURE_BYTES = 64;

/**
 * Reads a package's manifest and checks its signature and its form. `signed`: exactly this text was signed
 * with the key.
 */
export const readStatement = async ({ checkManifest }: Platform, source: Source, key: Verifier) => {
  const bytes = await read(source, MANIFEST, MAX_MANIFEST);
  const signature = await read(source, SIGNATURE, 1024);
  const findings = [bytes, signature].flatMap((one) => ('detail' in one ? [one] : []));
  if (!(bytes instanceof Uint8Array)) return { manifest: null, signed: false, findings };
  if (signature instanceof Uint8Array) findings.push(...(await signatureFaults(bytes, signature, key)));
  const signed = findings.length === 0;
  if (!signed && bytes.length > MAX_UNSIGNED_MANIFEST) {
    findings.push(finding(MANIFEST, 'is not read: it is large, and its signature does not hold'));
    return { manifest: null, signed, findings };
  }
  const parsedManifest = parsed<Manifest>(textOf(bytes), checkManifest);
  if ('fault' in parsedManifest) {
    findings.push(finding(MANIFEST, `is no manifest of a known version: ${parsedManifest.fault}`));
    return { manifest: null, signed, findings };
  }
  const manifest = parsedManifest.value;
  if (!areEqual(bytesOf(documentText(manifest)), bytes))
    findings.push(finding(MANIFEST, 'is not written as it was exported, though it can be read'));
  if (manifest.key !== key.id) {
    const detail = `it was signed with the key ${manifest.key}, the key given is ${key.id}`;
    findings.unshift(finding(MANIFEST, detail, { pointer: '/key' }));
  }
  return { manifest, signed, findings: [...findings, ...contradictions(manifest)] };
};

const read = async (source: Source, path: string, max: number): Promise<Uint8Array | Finding> => {
  const entry = source.entries.find((one) => one.path === path);
  if (!entry) return finding(path, 'is missing');
  try {
    return await readWhole(source, path, max);
  } catch (error) {
    return finding(path, unreadable(error));
  }
};

const signatureFaults = async (
  bytes: Uint8Array,
  text: Uint8Array,
  key: Verifier,
): Promise<readonly Finding[]> => {
  const written = textOf(text);
  const signature = fromBase64(written.trim());
  // Base64 can be written in several ways; a signature was written in this one.
  if (signature?.length !== SIGNATURE_BYTES || written !== `${btoa(String.fromCharCode(...signature))}\n`)
    return [finding(SIGNATURE, 'is not a signature: the base64 of 64 bytes, and a line end')];
  if (await key.holds(bytes, signature)) return [];
  const why = 'one of the two was changed, or it is another key';
  return [
    finding(MANIFEST, `manifest.sig does not sign it with the key ${key.id}: ${why}`),
    finding(SIGNATURE, `does not sign manifest.json with the key ${key.id}: ${why}`),
  ];
};

/** Contradictions within a manifest. */
const contradictions = (manifest: Manifest): readonly Finding[] => {
  const { submissionId, submission, deliveries, files } = manifest;
  const at = (pointer: string, detail: string): Finding => finding(MANIFEST, detail, { pointer });
  const found: Finding[] = [];
  if (submission.path !== EVENTS || submission.stream !== submissionStream(submissionId))
    found.push(at('/submission/stream', `is not the stream of ${submissionId} in ${EVENTS}`));
  const ids = new Set(submission.events.map(({ id }) => id));
  for (const [index, { path, stream }] of deliveries.entries()) {
    // Of a stream of another kind this is the name of no delivery.
    const id = stream.replace(webhookDeliveryStream(''), '');
    if (!ids.has(eventIdOf(id)) || path !== deliveryPath(id))
      found.push(at(`/deliveries/${index}`, 'is not the delivery of an event of the submission'));
  }
  const named = new Set(files.map(({ path }) => path));
  if (named.size < files.length) found.push(at('/files', 'names a file twice'));
  const needed = [EVENTS, README, ...DOCUMENTS, ...deliveries.map(({ path }) => path)];
  for (const path of needed) if (!named.has(path)) found.push(at('/files', `does not name ${path}`));
  for (const [index, { path }] of files.entries())
    if (!needed.includes(path) && !path.startsWith('files/'))
      found.push(at(`/files/${index}`, `names ${path}, which no package has`));
  const ends = streamsOf(manifest).flatMap(({ stream, pointer }) => endFaults(stream, pointer));
  return [...found, ...ends.map(({ pointer, detail }) => at(pointer, detail))];
};

const endFaults = ({ firstHash, lastHash, events }: ManifestStream, pointer: string) => [
  ...faultIf(firstHash !== events[0]?.hash, `${pointer}/firstHash`, 'is not the hash of the first event'),
  ...faultIf(lastHash !== events.at(-1)?.hash, `${pointer}/lastHash`, 'is not the hash of the last event'),
];
