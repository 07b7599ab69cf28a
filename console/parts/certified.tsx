import type { ComponentChildren } from 'preact';
import type { RedactionStatement } from '../../schemas/redactionCertificate.ts';
import { say, texts } from '../texts.ts';
import { Facts } from './facts.tsx';
import { shown } from './shown.ts';
import { When } from './when.tsx';

const own = texts.certificate;

type CertifiedProps = Readonly<{
  certificate: RedactionStatement;
  /** Who requested the redaction. */
  actor: ComponentChildren;
}>;

/** What a certificate of a redaction says, in words. */
export const Certified = ({ certificate, actor }: CertifiedProps) => {
  const { submissionId, issuedAt, service, key, requested, done, destroyed, backups, chain } = certificate;
  const { at, legalBasis, reason, requestedBy } = requested;
  return (
    <Facts
      facts={[
        [own.submission, <code key="id">{submissionId}</code>],
        [own.requested, <When key="at" at={at} exact />],
        [own.actor, actor],
        [own.requestedBy, requestedBy && shown(requestedBy)],
        [own.legalBasis, texts.legalBases[legalBasis]],
        [own.reason, shown(reason)],
        [own.done, <When key="done" at={done.at} exact />],
        [
          own.destroyed,
          <ul key="destroyed">
            {destroyed.map(({ what, count }) => (
              <li key={what}>
                {own.kinds[what]}
                {count !== null && `: ${count}`}
              </li>
            ))}
          </ul>,
        ],
        [
          own.backups,
          <>
            <When at={backups.unreadableFrom} exact />.{' '}
            {say(own.backupsText, { count: backups.maximumAgeDays })}
          </>,
        ],
        [own.chain, say(own.chainText, { count: chain.events, hash: chain.lastHash })],
        [own.issued, <When key="issued" at={issuedAt} exact />],
        [own.signed, shown(say(own.signedText, { service, key }))],
      ]}
    />
  );
};
