import type { ApiKeyMade, ApiKeyRotated, ApiKeys } from '../../../schemas/keys.ts';
import { Mark } from '../../parts/marks.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';

const own = texts.apiKeys;

export type ApiKey = ApiKeys['data'][number];
/** A new key with its secrets; after a rotation also what it replaces. */
export type Made = ApiKeyMade | ApiKeyRotated;

/** The name, or the identifier of one that has none. */
export const labelOf = ({ name, id }: Pick<ApiKey, 'name' | 'id'>): string => name ?? id;

/** Who has made a key. */
export const makerOf = (createdBy: string, nameOf: (userId: string) => string): string =>
  createdBy === 'operator' ? own.operator : nameOf(createdBy);

/** Whether a key is admitted. */
export const keyState = ({ revokedAt, expiresAt }: ApiKey): keyof typeof own.states => {
  if (revokedAt) return 'revoked';
  if (expiresAt) return Date.parse(expiresAt) <= Date.now() ? 'expired' : 'expiring';
  return 'active';
};

const TONES = { active: 'good', expiring: 'warning', expired: '', revoked: '' } as const;

/** Whether a key is admitted, in a word, and until when. */
export const KeyMark = ({ apiKey }: Readonly<{ apiKey: ApiKey }>) => {
  const state = keyState(apiKey);
  return (
    <>
      <Mark tone={TONES[state]}>{own.states[state]}</Mark>
      {state === 'expiring' && apiKey.expiresAt && (
        <>
          {' '}
          <When at={apiKey.expiresAt} />
        </>
      )}
    </>
  );
};

/** The secrets of a new key, once. */
export const SecretsOfKey = ({ made, onClose }: Readonly<{ made: Made; onClose(): void }>) => (
  <SecretsDialog
    title={own.made}
    secrets={[
      { label: own.key, value: made.key, hint: own.keyHint },
      { label: own.secret, value: made.webhookSecret, hint: own.secretHint },
      { label: own.standardSecret, value: made.standardWebhooksSecret, hint: own.standardHint },
    ]}
    onClose={onClose}
  >
    {'replaced' in made && (
      <p>
        {own.oldUntil} <When at={made.replaced.expiresAt} exact />
      </p>
    )}
  </SecretsDialog>
);
