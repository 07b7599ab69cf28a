import { basis } from '../domain/redactionBasis.ts';
import {
  closed,
  EventId,
  example,
  id,
  Mode,
  meaning,
  nullable,
  type Of,
  oneOf,
  Time,
  Type,
  text,
  time,
  times,
  whole,
} from '../kernel/schema.ts';
import { Actor, RequestId } from './actors.ts';

/** What a redaction destroys. */
export const DestroyedKind = oneOf(['sealing_key', 'sealed_events', 'files', 'webhooks', 'read_models']);

const Hash = (description: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description, examples: [HASH] });
const HASH = '5b054755ff448c7f89a77ce709c2b44f5bf01ffe0de5a0c1e3e93628db19bf98';
const EVENT = '018fd5c2-71f4-7a3b-9d0e-5b1c2d3e4f50';

/** Something that a redaction destroyed. */
export const Destroyed = closed({
  what: meaning(DestroyedKind, 'what was destroyed', 'sealing_key'),
  where: text('the place where it lay', 'sealing keys'),
  count: nullable(whole('how many of it; null where that is not counted', 1)),
});

/** Who asked for a redaction, and why. */
export const CertifiedRequest = closed({
  revision: whole('the event of the request, in the stream of the submission', 7),
  eventId: example(EventId, EVENT),
  at: example(Time, times.decided),
  actor: meaning(Actor, 'who was authenticated'),
  requestId: RequestId,
  reason: text('as it was given; it names nobody', 'Erasure request, article 17'),
  legalBasis: example(basis.legalBasis, 'erasure_request'),
  requestedBy: nullable(text('who asked for it, as the request says', 'ticket 4711')),
});

/** The end of a redaction. */
export const CertifiedEnd = closed({
  revision: whole('the event of its end, in the stream of the submission', 9),
  eventId: example(EventId, EVENT),
  at: example(Time, times.decided),
});

/** What copies can bring back. */
export const CertifiedBackups = closed({
  maximumAgeDays: whole('how old copies of sealing keys may become, in days', 30),
  unreadableFrom: time('from when on no copy of them opens what was sealed', '2026-12-21T11:02:31.090Z'),
});

/** The stream of a submission. */
export const CertifiedChain = closed({
  events: whole('how many events the stream has', 10),
  firstHash: Hash('the hash of the first'),
  lastHash: Hash('the hash of the last'),
});

/** What is signed: a fact in each member, nothing private (certificate-1, certificate-3). */
export const RedactionStatement = closed({
  format: Type.Literal('intake-redaction-certificate'),
  version: Type.Integer({ minimum: 1, maximum: 1 }),
  submissionId: id('sub'),
  companyId: id('cmp'),
  mode: example(Mode, 'live'),
  issuedAt: time('when this was signed', times.expires),
  service: text('the release that signed it', 'intake 0.1.0'),
  key: meaning(
    Type.String({ pattern: '^[0-9a-f]{16}$' }),
    'the identifier of the public key that verifies it',
    '2f9c1e07b4d85a63',
  ),
  requested: meaning(CertifiedRequest, 'who asked for it, why, and when'),
  done: meaning(CertifiedEnd, 'by when everything in `destroyed` was gone'),
  destroyed: Type.Array(Destroyed, { minItems: 1 }),
  backups: meaning(
    CertifiedBackups,
    'what copies can bring back, as long as the operator keeps to their maximum age',
  ),
  chain: meaning(
    CertifiedChain,
    'the stream of the submission: each event names the hash of the one before it, none was changed or removed',
  ),
  cannotProve: Type.Array(text('what this does not prove', 'whose the key is')),
});
export type RedactionStatement = Of<typeof RedactionStatement>;

/** GET /submissions/{submissionId}/redaction-certificate. */
export const RedactionCertificate = closed({
  certificate: RedactionStatement,
  signature: meaning(
    Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
    'Ed25519, in base64, of the text of `certificate`: JSON with an indentation of two spaces, and a line end',
    `${'A'.repeat(86)}==`,
  ),
});
export type RedactionCertificate = Of<typeof RedactionCertificate>;
