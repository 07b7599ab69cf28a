import { useState } from 'preact/hooks';
import type { SubmissionDetail } from '../../../schemas/submissions.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { zone } from '../../app/zone.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { TimeField } from '../../parts/filters.tsx';
import { LongTextField } from '../../parts/formField.tsx';
import { When, whole } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { LATER, type Later, timesFrom } from './later.ts';
import { PATH } from './read.ts';

const own = texts.team;

type LaterProps = Readonly<{ detail: SubmissionDetail; onLater(): void; onClose(): void }>;

/** Puts the review of a submission off: asks until when, and why. */
export const LaterDialog = ({ detail: { id, label }, onLater, onClose }: LaterProps) => {
  const [chosen, choose] = useState<Later>('hour');
  const [ownTime, setOwnTime] = useState('');
  const [reason, setReason] = useState('');
  const times = timesFrom(new Date(), zone.get() === 'UTC');
  const until = chosen === 'own' ? ownTime : times[chosen];
  const putOff = async (): Promise<void> => {
    await api.put(`${PATH}/postponement`, { path: { submissionId: id }, body: { until, reason } });
    announce(say(own.isPutOff, { time: whole(until), label }));
    onLater();
  };
  return (
    <ConfirmDialog
      title={own.laterTitle}
      act={own.putOff}
      isReady={until !== '' && reason.trim() !== ''}
      work={putOff}
      onClose={onClose}
    >
      <fieldset class="reasons">
        <legend>{own.until}</legend>
        {LATER.map((name) => (
          <label key={name} class="check">
            <input type="radio" name="until" checked={chosen === name} onChange={() => choose(name)} />{' '}
            {own.times[name]}
            {name !== 'own' && (
              <small>
                <When at={times[name]} exact />
              </small>
            )}
          </label>
        ))}
      </fieldset>
      {chosen === 'own' && <TimeField label={own.ownTime} value={ownTime} onChange={setOwnTime} required />}
      <LongTextField label={own.reason} maxLength={1_000} value={reason} onInput={setReason} />
    </ConfirmDialog>
  );
};
