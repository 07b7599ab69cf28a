import { eventIdOf, submissionStream, webhookDeliveryStream } from '../../domain/streamNames.ts';
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
import { type Finding, finding, said, unreadable } from './findings.ts';
import { parsed } from './json.ts';
import type { Platform, Verifier } from './platform.ts';
import type { FindingCode, Said } from './sentences.ts';

const SIGNATURE_BYTES = 64;

/**
 * Reads a package's manifest and checks its signature and its form. `signed`: exactly this text was signed
 * with the key.
 */
export const readStatement = async ({ checkManifest }: Platform, source: Source, key: Verifier) => {
  const bytes = await read(source, MANIFEST, MAX_MANIFEST);
  const signature = await read(source, SIGNATURE, 1024);
  const findings = [bytes, signature].flatMap((one) => ('said' in one ? [one] : []));
  if (!(bytes instanceof Uint8Array)) return { manifest: null, signed: false, findings };
  if (signature instanceof Uint8Array) findings.push(...(await signatureFaults(bytes, signature, key)));
  const signed = findings.length === 0;
  if (!signed && bytes.length > MAX_UNSIGNED_MANIFEST) {
    findings.push(finding(MANIFEST, 'largeUnsigned'));
    return { manifest: null, signed, findings };
  }
  const parsedManifest = parsed<Manifest>(textOf(bytes), checkManifest);
  if ('fault' in parsedManifest) {
    findings.push(finding(MANIFEST, said('noManifest', { why: parsedManifest.fault })));
    return { manifest: null, signed, findings };
  }
  const manifest = parsedManifest.value;
  if (!areEqual(bytesOf(documentText(manifest)), bytes))
    findings.push(finding(MANIFEST, 'manifestRewritten'));
  if (manifest.key !== key.id) {
    const keys = said('otherKey', { found: manifest.key, expected: key.id });
    findings.unshift(finding(MANIFEST, keys, { pointer: '/key' }));
  }
  return { manifest, signed, findings: [...findings, ...contradictions(manifest)] };
};

const read = async (source: Source, path: string, max: number): Promise<Uint8Array | Finding> => {
  const entry = source.entries.find((one) => one.path === path);
  if (!entry) return finding(path, 'missing');
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
    return [finding(SIGNATURE, 'noSignature')];
  if (await key.holds(bytes, signature)) return [];
  return [
    finding(MANIFEST, said('manifestUnsigned', { key: key.id })),
    finding(SIGNATURE, said('signatureOfOther', { key: key.id })),
  ];
};

/** Contradictions within a manifest. */
const contradictions = (manifest: Manifest): readonly Finding[] => {
  const { submissionId, submission, deliveries, files } = manifest;
  const at = (pointer: string, what: Said | FindingCode): Finding => finding(MANIFEST, what, { pointer });
  const found: Finding[] = [];
  if (submission.path !== EVENTS || submission.stream !== submissionStream(submissionId))
    found.push(at('/submission/stream', said('noSubmissionStream', { id: submissionId, path: EVENTS })));
  const ids = new Set(submission.events.map(({ id }) => id));
  for (const [index, { path, stream }] of deliveries.entries()) {
    // Of a stream of another kind this is the name of no delivery.
    const id = stream.replace(webhookDeliveryStream(''), '');
    if (!ids.has(eventIdOf(id)) || path !== deliveryPath(id))
      found.push(at(`/deliveries/${index}`, 'noDelivery'));
  }
  const named = new Set(files.map(({ path }) => path));
  if (named.size < files.length) found.push(at('/files', 'namesTwice'));
  const needed = [EVENTS, README, ...DOCUMENTS, ...deliveries.map(({ path }) => path)];
  for (const path of needed) if (!named.has(path)) found.push(at('/files', said('namesNot', { path })));
  for (const [index, { path }] of files.entries())
    if (!needed.includes(path) && !path.startsWith('files/'))
      found.push(at(`/files/${index}`, said('namesOther', { path })));
  const ends = streamsOf(manifest).flatMap(({ stream, pointer }) => endFaults(stream, pointer));
  return [...found, ...ends.map(([pointer, code]) => at(pointer, code))];
};

const endFaults = (
  { firstHash, lastHash, events }: ManifestStream,
  pointer: string,
): readonly (readonly [pointer: string, code: FindingCode])[] => [
  ...(firstHash === events[0]?.hash ? [] : [[`${pointer}/firstHash`, 'notFirstHash'] as const]),
  ...(lastHash === events.at(-1)?.hash ? [] : [[`${pointer}/lastHash`, 'notLastHash'] as const]),
];
