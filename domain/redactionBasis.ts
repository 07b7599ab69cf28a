import { nullable, type Of, oneOf, text } from '../kernel/schema.ts';

/** What a redaction may be based on (redaction-1). */
export const legalBases = [
  'erasure_request',
  'consent_withdrawn',
  'retention',
  'legal_obligation',
  'other',
] as const;

const LegalBasis = oneOf(legalBases);
export type LegalBasis = Of<typeof LegalBasis>;

/** Why something is redacted, as events carry it: it is kept. */
export const basis = {
  reason: text('for people; names nobody'),
  legalBasis: LegalBasis,
  requestedBy: nullable(text('who asked for it, such as the number of a ticket')),
};

/** The same, as commands take it. */
export type Basis = Readonly<{ reason: string; legalBasis: LegalBasis; requestedBy: string | null }>;

/** That of what was kept as long as its company says. */
export const afterRetention = (days: number): Basis => ({
  reason: `It was kept for ${days} ${days === 1 ? 'day' : 'days'} after its end, as the retention of the company says.`,
  legalBasis: 'retention',
  requestedBy: null,
});

/** That of what a restored backup has forgotten to be redacted. */
export const redactedBefore: Basis = {
  reason: 'It had been redacted before the data was restored from a backup.',
  legalBasis: 'other',
  requestedBy: null,
};

/** That of an invitation of another company to the e-mail of a person who is redacted. */
export const withItsPerson: Basis = {
  reason: 'It was redacted with the person whose e-mail it had.',
  legalBasis: 'other',
  requestedBy: null,
};
