import { useState } from 'preact/hooks';
import type { KeyLeft } from '../../../schemas/people.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import type { Left } from './scope.ts';

const own = texts.people;
const { columns, revoke, revoked, never } = texts.apiKeys;

/** The keys of who was disabled or lowered, which go on: revoked here, rotated on the screen of keys. */
export const KeysLeftDialog = ({ name, keys, onClose }: Left & Readonly<{ onClose(): void }>) => (
  <Dialog title={say(own.keysLeft, { name })} onClose={onClose}>
    <p>{say(own.keysLeftText, { name })}</p>
    <ul>
      {keys.map((one) => (
        <KeyItem key={one.id} {...one} />
      ))}
    </ul>
    <div class="actions">
      <a class="button" href={hrefOf('/keys')}>
        {own.keysLeftAll}
      </a>
      <Button onClick={onClose}>{own.keysLeftDone}</Button>
    </div>
  </Dialog>
);

const KeyItem = ({ id, name, lastUsedAt }: KeyLeft) => {
  const [isRevoked, setRevoked] = useState(false);
  const { isRunning, problem, start } = useAction();
  const label = name ?? id;
  const work = async (): Promise<void> => {
    await api.post('/api/v1/keys/{keyId}/revoke', { path: { keyId: id } });
    announce(say(revoked, { name: label }));
    setRevoked(true);
  };
  return (
    <li>
      {label} · {columns.lastUsed}: {lastUsedAt ? <When at={lastUsedAt} /> : never}{' '}
      {isRevoked ? (
        texts.apiKeys.states.revoked
      ) : (
        <Button
          class="danger"
          aria-label={`${revoke}: ${label}`}
          disabled={isRunning}
          onClick={() => start(work)}
        >
          {revoke}
        </Button>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </li>
  );
};
