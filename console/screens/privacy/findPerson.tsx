import { useState } from 'preact/hooks';
import { Form, Submit } from '../../parts/form.tsx';
import { TextField } from '../../parts/formField.tsx';
import { texts } from '../../texts.ts';
import { PersonSubmissions } from './personSubmissions.tsx';
import type { Subject } from './subject.ts';

const own = texts.privacy;

/**
 * Asks whose submissions are looked for. What names the person stays on this page: in no address of the
 * console, and in no storage.
 */
export const FindPerson = () => {
  const [clientSubmissionId, setClient] = useState('');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [found, setFound] = useState<Subject | null>(null);
  const named = {
    clientSubmissionId: clientSubmissionId.trim(),
    metadata: name.trim() === '' ? '' : `${name.trim()}=${value}`,
  };
  const isNamed = named.clientSubmissionId !== '' || (named.metadata !== '' && value !== '');
  return (
    <>
      <p>{own.findText}</p>
      <Form onSubmit={() => setFound(named)}>
        <div class="filters">
          <TextField
            label={texts.submissions.clientSubmissionId}
            value={clientSubmissionId}
            autocomplete="off"
            onInput={setClient}
          />
          <TextField label={own.memberName} value={name} autocomplete="off" onInput={setName} />
          <TextField label={own.memberValue} value={value} autocomplete="off" onInput={setValue} />
        </div>
        <div class="actions">
          <Submit disabled={!isNamed}>{own.find}</Submit>
        </div>
      </Form>
      {found && <PersonSubmissions key={JSON.stringify(found)} subject={found} />}
    </>
  );
};
