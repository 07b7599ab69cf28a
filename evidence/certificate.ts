import { type RedactionEvent, redactionNotDone } from '../domain/submission/redaction.ts';
import type { Submission, SubmissionEvent } from '../domain/submission/state.ts';
import { submissionIdOf, submissionStream } from '../domain/submission/submission.ts';
import type { Recorded } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import type { RedactionCertificate, RedactionStatement } from '../schemas/redactionCertificate.ts';
import { hashOf } from '../stores/events/hash.ts';
import { evidenceKey, uploadKey } from '../stores/objects/keys.ts';
import type { ObjectReader } from '../stores/objects/port.ts';
import { type CollectedStream, collectStream, folded } from './collect.ts';
import { submissionEvents, submissionOf } from './derive/supported.ts';
import { redactedIn } from './export/streams.ts';
import type { ExportPorts } from './export.ts';
import { documentText } from './format.ts';

/** `isDestroyed`: whether the key of a subject is, as its store has it now. */
export type CertificatePorts = Pick<ExportPorts, 'log' | 'key' | 'now' | 'service'> &
  Readonly<{ files: Pick<ObjectReader, 'head'>; isDestroyed(subject: string): Promise<boolean> }>;

/** How old copies of sealing keys may become: docs/operating.md says it to operators. */
export const COPIES_DAYS = 30;

/** What no certificate of a redaction can prove, for people. */
export const CERTIFICATE_LIMITS: readonly string[] = [
  'that receivers of webhooks and syncs, and whoever downloaded files or exported evidence before, removed their copies.',
  'that logs of proxies, and mails, hold nothing: the service writes neither.',
  `that copies of sealing keys are removed after ${COPIES_DAYS} days: the operator sees to that.`,
  'that copies of files and of read models are gone: these are not sealed, and the operator sees to their age.',
  'that the address that is told of the redaction is gone: it is kept, sealed, until DELIVERY_RETENTION after that webhook has ended.',
  'that no other submission says something of the same person.',
  'that times are right: they are those of the clocks of the service.',
  'whose the key is: take the public key from the operator by another way than the certificate came.',
];

const DAY_MS = 86_400_000;

/**
 * Certifies, signed as evidence is, that a submission was redacted; null where there is no such submission.
 * Throws `RedactionNotDone` until it is, and where a restore has brought something back; `ChainBroken`,
 * `EventsNotFoldable`.
 */
export const certifyRedaction = async (
  ports: CertificatePorts,
  id: string,
): Promise<RedactionCertificate | null> => {
  const stream = await collectStream(ports.log, submissionStream(id), false);
  const events = submissionEvents(stream.opened);
  const state = folded(stream.opened, (some) => submissionOf(submissionEvents(some)));
  if (!state) return null;
  const [requested, done] = [
    eventOf(events, 'SubmissionRedactionRequested'),
    eventOf(events, 'SubmissionRedacted'),
  ];
  if (!requested || !done)
    throw redactionNotDone(
      requested ? 'The redaction is not done yet.' : 'No redaction of the submission was requested.',
    );
  await refuseLeft(ports, state);
  const certificate = statementOf(ports, submissionIdOf(id), stream, requested, done);
  const signature = ports.key.sign(Buffer.from(documentText(certificate))).toString('base64');
  return { certificate, signature };
};

const eventOf = <T extends RedactionEvent['type']>(events: readonly Recorded<SubmissionEvent>[], type: T) =>
  events.find((event): event is Recorded<Extract<RedactionEvent, { type: T }>> => event.type === type);

/** What is certified as destroyed is looked for once more. */
const refuseLeft = async (
  { files, isDestroyed }: CertificatePorts,
  { routing: { submissionId }, slots, files: submitted }: Submission,
): Promise<void> => {
  if (!(await isDestroyed(submissionId)))
    throw redactionNotDone(
      'The sealing key of the submission is there: it came back with a copy of the keys.',
    );
  const keys = [
    ...slots.map(({ fileId }) => uploadKey(submissionId, fileId)),
    ...submitted.map((file) => evidenceKey(submissionId, file)),
  ];
  for (const key of keys)
    if (await files.head(key))
      throw redactionNotDone('A file of the submission is there: it came back with a copy.');
};

const statementOf = (
  { key, now, service }: CertificatePorts,
  submissionId: string,
  { stored, opened }: CollectedStream,
  requested: Recorded<Extract<RedactionEvent, { type: 'SubmissionRedactionRequested' }>>,
  done: Recorded<Extract<RedactionEvent, { type: 'SubmissionRedacted' }>>,
): RedactionStatement => {
  const [first, last] = [stored[0], stored.at(-1)];
  if (!first || !last) throw new Error(`the stream of ${submissionId} has no events`);
  const { at } = done.metadata;
  const { actor, requestId = null } = requested.metadata;
  return {
    format: 'intake-redaction-certificate',
    version: 1,
    submissionId,
    ...pick(requested.data, 'companyId', 'mode'),
    issuedAt: now().toISOString(),
    service,
    key: key.publicKey.id,
    requested: {
      ...{ revision: requested.revision, eventId: requested.id, at: requested.metadata.at },
      ...{ actor, requestId },
      ...pick(requested.data, 'reason', 'legalBasis', 'requestedBy'),
    },
    done: { revision: done.revision, eventId: done.id, at },
    destroyed: [
      { what: 'sealing_key', where: 'sealing keys', count: 1 },
      { what: 'sealed_events', where: 'event log, and every copy of it', count: redactedIn(opened) },
      { what: 'files', where: 'object storage', count: done.data.objects },
      { what: 'webhooks', where: 'event log and read models', count: done.data.deliveries },
      { what: 'read_models', where: 'read models and kept answers', count: null },
    ],
    backups: {
      maximumAgeDays: COPIES_DAYS,
      unreadableFrom: new Date(Date.parse(at) + COPIES_DAYS * DAY_MS).toISOString(),
    },
    chain: { events: stored.length, firstHash: hashOf(first), lastHash: hashOf(last) },
    cannotProve: [...CERTIFICATE_LIMITS],
  };
};
