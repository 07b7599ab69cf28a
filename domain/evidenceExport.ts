import type { Decider } from '../kernel/decider.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, text } from '../kernel/schema.ts';
import { type Routing, routing } from './submission/routing.ts';

/**
 * The stream of the exports of a submission's evidence: `evidenceExport-<ulid>`, with the submission's ULID.
 * They change nothing of the submission, and are no events of it.
 */
export const evidenceExportStream = (submissionId: string): string =>
  `evidenceExport-${submissionId.slice(4)}`;

const events = {
  EvidenceExported: {
    about: 'Somebody was given the signed evidence of a submission.',
    data: closed({ ...routing, key: text('the identifier of the public key that verifies the package') }),
  },
} as const satisfies EventDefinitions;

export type EvidenceExportEvent = EventsOf<typeof events>;

/** `key`: the identifier of the key that signs. */
type RecordExport = Readonly<{ type: 'RecordExport'; routing: Routing; key: string }>;

/** The exports of one submission: each is an event, and none depends on those before it. */
export const evidenceExport: Decider<null, RecordExport, EvidenceExportEvent> = {
  category: 'evidenceExport-',
  events,
  initial: null,
  evolve: () => null,
  decide: ({ routing, key }) => [{ type: 'EvidenceExported', data: { ...routing, key } }],
  subject: ({ data }) => data.submissionId,
};
