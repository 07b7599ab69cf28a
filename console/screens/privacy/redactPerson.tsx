import { useState } from 'preact/hooks';
import type { RedactRequest } from '../../../client/api.ts';
import { api } from '../../app/api.ts';
import { hrefOf, navigate } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { RedactDialog } from '../../parts/redactDialog.tsx';
import { texts } from '../../texts.ts';
import { nameOf, namesIn, type Subject } from './subject.ts';

const own = texts.privacy;

/** Redacts all submissions of a person, once what names the person was typed again. */
export const RedactPerson = ({ subject }: Readonly<{ subject: Subject }>) => {
  const [isOpen, open] = useState(false);
  const redact = async (basis: RedactRequest): Promise<void> => {
    const { redactionId } = await api.post('/api/v1/redactions', { body: { ...namesIn(subject), ...basis } });
    navigate(hrefOf('/privacy', { view: 'redactions', redaction: redactionId }));
  };
  return (
    <section class="part" aria-labelledby="redact">
      <h3 id="redact">{own.redactTitle}</h3>
      <p>{own.redactText}</p>
      <div class="actions">
        <Button class="danger" onClick={() => open(true)}>
          {own.redact}
        </Button>
      </div>
      {isOpen && (
        <RedactDialog
          title={own.redactAsk}
          text={own.redactText}
          stays={own.redactStays}
          typed={nameOf(subject)}
          redact={redact}
          onClose={() => open(false)}
        />
      )}
    </section>
  );
};
