import { useState } from 'preact/hooks';
import type { PostponeRequest } from '../../../client/api.ts';
import { zone } from '../../app/zone.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { TimeField } from '../../parts/filters.tsx';
import { LongTextField } from '../../parts/formField.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { type Later, offeredOf, timesFrom } from './later.ts';

const own = texts.team;

type LaterProps = Readonly<{
  title: string;
  putOff(body: PostponeRequest): Promise<void>;
  onClose(): void;
}>;

/** Asks until when reviews are put off, and why. */
export const LaterDialog = ({ title, putOff, onClose }: LaterProps) => {
  const [chosen, choose] = useState<Later>('hour');
  const [ownTime, setOwnTime] = useState('');
  const [reason, setReason] = useState('');
  const times = timesFrom(new Date(), zone.get() === 'UTC');
  const until = chosen === 'own' ? ownTime : times[chosen];
  return (
    <ConfirmDialog
      title={title}
      act={own.putOff}
      isReady={until !== '' && reason.trim() !== ''}
      work={() => putOff({ until, reason })}
      onClose={onClose}
    >
      <fieldset class="reasons">
        <legend>{own.until}</legend>
        {offeredOf(times).map((name) => (
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
