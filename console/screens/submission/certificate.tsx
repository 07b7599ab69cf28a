import { useState } from 'preact/hooks';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useNames } from '../../app/people.ts';
import { useResource } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { Certified } from '../../parts/certified.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Reading } from '../../parts/notice.tsx';
import { save } from '../../parts/save.ts';
import { texts } from '../../texts.ts';
import { PATH } from './read.ts';
import { actorText } from './timeline.tsx';

const own = texts.certificate;

type CertificateProps = Readonly<{ submissionId: string }>;

/** Offers the certificate of a redaction that is done. */
export const CertificateOffer = ({ submissionId }: CertificateProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{own.title}</Button>
      {isOpen && <CertificateDialog submissionId={submissionId} onClose={() => setOpen(false)} />}
    </>
  );
};

const CertificateDialog = ({ submissionId, onClose }: CertificateProps & Readonly<{ onClose(): void }>) => {
  const resource = useResource(`${submissionId} certificate`, (signal) =>
    api.get(`${PATH}/redaction-certificate`, { path: { submissionId }, signal }),
  );
  const signed = resource.value;
  const actor = signed?.certificate.requested.actor;
  const nameOf = useNames(actor ? [actor.id] : []);
  const keep = (): void => {
    const text = `${JSON.stringify(signed, null, 2)}\n`;
    save(new Blob([text], { type: 'application/json' }), `redaction-${submissionId}.json`);
    announce(own.saved);
  };
  return (
    <Dialog title={own.title} onClose={onClose}>
      <Reading resource={resource} lines={8} />
      {signed && actor && (
        <>
          <Certified certificate={signed.certificate} actor={actorText(actor, nameOf)} />
          <h3>{texts.verify.cannotProve}</h3>
          <ul>
            {signed.certificate.cannotProve.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
          <div class="actions">
            <a class="button" href={hrefOf('/verify')}>
              {texts.verify.title}
            </a>
            <Button class="primary" onClick={keep}>
              {own.save}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};
