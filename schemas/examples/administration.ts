import { ApiKeyMade, ApiKeyRequest, ApiKeyRotated, ApiKeys, OwnKey, RotateApiKey } from '../keys.ts';
import { InvitationMade, InvitationRequest, Invitations, Names, People, PersonReset } from '../people.ts';
import { type Example, example, ids, times, wholePage } from './example.ts';

const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const secrets = {
  key: `aok_${hash}`,
  webhookSecret: hash,
  standardWebhooksSecret: `whsec_${Buffer.from(hash).toString('base64')}`,
};
const newKey = {
  id: 'key_01hv7b2m4p6r8t0v2x4z6b8d0f',
  name: 'ERP',
  companyId: ids.company,
  mode: 'live',
} as const;
const email = 'jane.doe@example.com';
const office = { role: 'reviewer', companyId: ids.company } as const;
const invitationId = 'inv_01hv6x3m8q2r5t7w9y0a1b2c3d';
const token = 'q3l9Zt0v6S2xWc8bNf4kHdR7yUeJmAoP1gTiVwXsYzE';
const expiresAt = '2026-11-24T10:46:00.000Z';
const issued = {
  mailed: false,
  token,
  url: `https://intake.example.com/invite#token=${token}`,
  expiresAt,
};

/** Examples of keys, people and invitations. */
export const administrationExamples: readonly Example[] = [
  example(ApiKeys, {
    data: [
      {
        ...newKey,
        id: ids.key,
        createdAt: '2026-05-04T08:12:00.000Z',
        createdBy: ids.user,
        lastUsedAt: times.opened,
        revokedAt: null,
        expiresAt: times.expires,
        replacedBy: newKey.id,
        openSessions: 3,
      },
    ],
    pagination: wholePage,
  }),
  example(OwnKey, { ...newKey, expiresAt: null }),
  example(ApiKeyRequest, { companyId: ids.company, mode: 'live', name: 'ERP' }),
  example(ApiKeyMade, { ...newKey, ...secrets }),
  example(RotateApiKey, { overlapSeconds: 86_400 }),
  example(ApiKeyRotated, { ...newKey, ...secrets, replaced: { id: ids.key, expiresAt: times.expires } }),
  example(People, {
    data: [
      {
        ...{ id: ids.user, email, name: 'Jane Doe', ...office },
        ...{ createdAt: '2026-05-04T08:12:00.000Z', lastLogInAt: times.opened, disabledAt: null },
        ...{ resetAt: null, awaits: null, boundAt: null },
      },
    ],
    pagination: wholePage,
  }),
  example(Names, { data: [{ id: ids.user, name: 'Jane Doe' }], pagination: wholePage }),
  example(InvitationRequest, { email, ...office }),
  example(InvitationMade, { id: invitationId, email, ...office, ...issued }),
  example(PersonReset, { id: ids.user, invitationId, ...issued }),
  example(Invitations, {
    data: [
      {
        ...{ id: invitationId, email, ...office, userId: null, state: 'open' },
        ...{
          createdAt: '2026-11-21T10:46:00.000Z',
          expiresAt,
          acceptedAt: null,
          revokedAt: null,
          mail: null,
        },
      },
    ],
    pagination: wholePage,
  }),
];
