import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import type { Recorded } from '../../kernel/event.ts';
import { hexOf, joined } from '../bytes.ts';
import { decisionsOf } from '../derive/decisions.ts';
import { deliveryOf } from '../derive/delivery.ts';
import { filesOf } from '../derive/files.ts';
import { Line, Manifest } from '../format.ts';
import { NoPackage, type Source } from '../package/source.ts';
import { type Verdict, verifyBy } from '../verify/package.ts';
import type { Derivation, Hash, Platform, Verifier } from '../verify/platform.ts';
import { md5 } from './md5.ts';
import { checkOf } from './shape.ts';

/** Browsers hash all chunks at once, which must have room in memory: else it throws `NoPackage`. */
const sha256 = (): Hash => {
  const chunks: Uint8Array[] = [];
  return {
    add: (chunk) => void chunks.push(chunk),
    end: async () => {
      try {
        return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', joined(chunks))));
      } catch {
        throw new NoPackage('This browser has too little memory for it: `intake audit verify` reads it.');
      }
    },
  };
};

/** The newest versions above 1. What documents are derived from here has one version: a test says so. */
const NEWEST: Readonly<Record<string, number>> = { SubmissionProcessed: 2 };

/** Whether this release can read an event. */
export const isSupported = ({ type, metadata }: Pick<Recorded, 'type' | 'metadata'>): boolean =>
  metadata.schema <= (Object.hasOwn(NEWEST, type) ? (NEWEST[type] ?? 1) : 1);

/** The events of a delivery, each of them: the table of the domain would bring its rules. */
const deliveryEvents: Readonly<Record<WebhookDeliveryEvent['type'], true>> = {
  WebhookRequested: true,
  WebhookAttempted: true,
  WebhookDelivered: true,
  WebhookFailed: true,
  WebhookRedacted: true,
  WebhookRedeliveryRequested: true,
};
/** Their names. */
export const deliveryTypes = Object.keys(deliveryEvents);

const submissionEvents: Derivation['submissionEvents'] = (events) =>
  events.filter(isSupported) as readonly Recorded[] as readonly Recorded<SubmissionEvent>[];

const derivation: Derivation = {
  isSupported,
  submissionEvents,
  deliveryEntry: (events) =>
    deliveryOf(
      events.filter(
        (event) => isSupported(event) && Object.hasOwn(deliveryEvents, event.type),
      ) as readonly Recorded[] as readonly Recorded<WebhookDeliveryEvent>[],
    ),
  // Not state.json: that takes all rules of the service, which are larger than the whole console.
  documentsOf: (events, deliveries, copies) => ({
    'decisions.json': decisionsOf(submissionEvents(events)),
    'deliveries.json': deliveries.filter((delivery) => delivery !== null),
    'files.json': filesOf(submissionEvents(events), copies),
  }),
};

const web: Platform = {
  sha256,
  md5,
  checkManifest: checkOf(Manifest),
  checkLine: checkOf(Line),
  derivation,
};

/**
 * Checks a package in a browser, as `verifyBy` says; of its documents all but `state.json` are derived again.
 */
export const verifyInBrowser = (source: Source, key: Verifier): Promise<Verdict> =>
  verifyBy(web, source, key);
