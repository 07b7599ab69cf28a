import { useState } from 'preact/hooks';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import type { Company } from '../../app/companies.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { choicesOf, SelectField } from '../../parts/formField.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { type ApiKey, KeyMark, keyState, labelOf, type Made, makerOf } from './key.tsx';

const own = texts.apiKeys;

type KeyProps = Readonly<{
  apiKey: ApiKey;
  companies: readonly Company[] | null;
  nameOf(userId: string): string;
  /** With the secrets of the new key, where one was made. */
  onChanged(made: Made | null): void;
  onClose(): void;
}>;

/** A key, and what can be done with it; each is asked for once. */
export const KeyDialogs = (props: KeyProps) => {
  const [act, choose] = useState<'rotate' | 'revoke' | null>(null);
  if (act === 'rotate') return <RotateDialog {...props} />;
  if (act === 'revoke') return <RevokeDialog {...props} />;
  return <KeyDialog {...props} onChosen={choose} />;
};

const KeyDialog = ({
  apiKey,
  companies,
  nameOf,
  onChosen,
  onClose,
}: KeyProps & { onChosen(act: 'rotate' | 'revoke'): void }) => {
  const { columns } = own;
  const state = keyState(apiKey);
  const company = companies?.find(({ id }) => id === apiKey.companyId);
  return (
    <Dialog title={labelOf(apiKey)} onClose={onClose}>
      <Facts
        facts={[
          [columns.status, <KeyMark key="state" apiKey={apiKey} />],
          [texts.company.one, company?.name ?? (apiKey.companyId === null ? own.unscoped : null)],
          [columns.mode, own.modes[apiKey.mode]],
          [columns.lastUsed, apiKey.lastUsedAt ? <When at={apiKey.lastUsedAt} exact /> : own.never],
          [columns.madeBy, makerOf(apiKey.createdBy, nameOf)],
          [columns.made, <When key="made" at={apiKey.createdAt} exact />],
          [own.openSessions, counted(apiKey)],
          [own.expires, apiKey.expiresAt && <When at={apiKey.expiresAt} exact />],
          [own.replacedBy, apiKey.replacedBy && <code>{apiKey.replacedBy}</code>],
          [own.revokedAt, apiKey.revokedAt && <When at={apiKey.revokedAt} exact />],
          [own.identifier, <code key="id">{apiKey.id}</code>],
        ]}
      />
      {may('keys.manage') && (
        <div class="actions">
          {state === 'active' && <Button onClick={() => onChosen('rotate')}>{own.rotate}</Button>}
          {(state === 'active' || state === 'expiring') && (
            <Button onClick={() => onChosen('revoke')}>{own.revoke}</Button>
          )}
        </div>
      )}
    </Dialog>
  );
};

/** So many are counted. */
const MOST = 100;

const counted = ({ openSessions }: ApiKey): string =>
  openSessions < MOST ? String(openSessions) : `${MOST}+`;

const RotateDialog = ({ apiKey, onChanged, onClose }: KeyProps) => {
  const [overlap, setOverlap] = useState('86400');
  const { openSessions } = apiKey;
  const work = async (): Promise<void> => {
    const body = { overlapSeconds: Number(overlap) };
    onChanged(await api.post('/api/v1/keys/{keyId}/rotate', { path: { keyId: apiKey.id }, body }));
  };
  return (
    <ConfirmDialog
      title={say(own.rotateTitle, { name: labelOf(apiKey) })}
      act={own.rotate}
      danger={overlap === '0'}
      work={work}
      onClose={onClose}
    >
      <p>{own.rotateText}</p>
      <p>{openSessions === 0 ? own.noSessions : say(own.sessions, { count: counted(apiKey) })}</p>
      <SelectField
        label={own.overlap}
        value={overlap}
        options={choicesOf(own.overlaps)}
        onChange={setOverlap}
      />
    </ConfirmDialog>
  );
};

const RevokeDialog = ({ apiKey, onChanged, onClose }: KeyProps) => {
  const name = labelOf(apiKey);
  const work = async (): Promise<void> => {
    await api.post('/api/v1/keys/{keyId}/revoke', { path: { keyId: apiKey.id } });
    announce(say(own.revoked, { name }));
    onChanged(null);
  };
  return (
    <ConfirmDialog
      title={say(own.revokeTitle, { name })}
      act={own.revoke}
      danger
      work={work}
      onClose={onClose}
    >
      <p>{own.revokeText}</p>
      {apiKey.lastUsedAt && (
        <p>
          {own.columns.lastUsed}: <When at={apiKey.lastUsedAt} />
        </p>
      )}
    </ConfirmDialog>
  );
};
