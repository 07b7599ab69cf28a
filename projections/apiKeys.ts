import { type ApiKeyEvent, mayCreateKey } from '../domain/apiKey.ts';
import type { Clock } from '../kernel/clock.ts';
import { pick } from '../kernel/pick.ts';
import type { Office } from '../kernel/scope.ts';
import type { KeyRow } from '../stores/credentials.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, newestOf } from './engine/pages.ts';
import { indexOn, newestBy, type Projection } from './engine/projection.ts';

/**
 * An API key without its hash. `expiresAt`: from when on it is refused, since `replacedBy` was made in its
 * place. Times in ISO 8601.
 */
export type ApiKeyDocument = Readonly<{
  id: string;
  name: string | null;
  companyId: string | null;
  mode: string;
  createdAt: string;
  createdBy: string;
  revokedAt: string | null;
  expiresAt: string | null;
  replacedBy: string | null;
}>;

const newestFirst = newestBy('createdAt');

/** The API keys. */
export const apiKeys: Projection<ApiKeyDocument, ApiKeyEvent> = {
  name: 'apiKeys',
  version: 2,
  prefixes: ['apiKey-'],
  indexes: [
    { name: 'newest', sort: newestFirst },
    indexOn('company', ['companyId'], newestFirst),
    indexOn('maker', ['createdBy', 'revokedAt'], newestFirst),
  ],
  keys: ({ data }) => [data.keyId],
  on: {
    ApiKeyCreated: (_document, { data, metadata }) => {
      const { keyId: id, companyId, mode, name, createdBy } = data;
      const open = { revokedAt: null, expiresAt: null, replacedBy: null };
      return { id, name, companyId, mode, createdAt: metadata.at, createdBy, ...open };
    },
    ApiKeyRevoked: (document, { metadata }) => document && { ...document, revokedAt: metadata.at },
    ApiKeyRotated: (document, { data: { expiresAt, newKeyId } }) =>
      document && { ...document, expiresAt, replacedBy: newKeyId },
  },
};

/**
 * A key as people see it: with its last use, and how many of its sessions are open, at most
 * `MAX_OPEN_SESSIONS`.
 */
export type ApiKeyItem = ApiKeyDocument & Readonly<{ lastUsedAt: string | null; openSessions: number }>;

/** No more are counted: "many" is enough for a decision to revoke a key. */
export const MAX_OPEN_SESSIONS = 100;

type UsePorts = Readonly<{
  rows(keyIds: readonly string[]): Promise<ReadonlyMap<string, KeyRow>>;
  countOpen(keyId: string, max: number): Promise<number>;
}>;

/** All keys, or those of a company, newest first. */
export const apiKeyQueries = (models: ReadModels) => ({
  list: newestOf<ApiKeyDocument>(models, 'apiKeys'),
  listOf: (companyId: string, limit: number, after: After): Promise<ResultPage<ApiKeyDocument>> =>
    models.page('apiKeys', { where: { companyId }, sort: newestFirst, limit, after }),
  /** The keys that a user made, not revoked, of those that `isMeant`: newest first, at most `max`. */
  unrevokedBy: async (
    createdBy: string,
    isMeant: (key: ApiKeyDocument) => boolean,
    max: number,
  ): Promise<readonly ApiKeyDocument[]> => {
    const meant: ApiKeyDocument[] = [];
    let after: After = null;
    do {
      const query = { where: { createdBy, revokedAt: null }, sort: newestFirst, limit: max, after };
      const page: ResultPage<ApiKeyDocument> = await models.page('apiKeys', query);
      meant.push(...page.items.filter(isMeant));
      after = page.next;
    } while (after !== null && meant.length < max);
    return meant.slice(0, max);
  },
});

/** A live key of a person who is disabled or gets another role. */
export type KeyLeft = Pick<ApiKeyItem, 'id' | 'name' | 'companyId' | 'mode' | 'lastUsedAt'>;

/** No more are listed. */
const MAX_LEFT = 100;

type LeftPorts = Pick<UsePorts, 'rows'> &
  Pick<ReturnType<typeof apiKeyQueries>, 'unrevokedBy'> &
  Readonly<{ clock: Clock }>;

/**
 * The live keys that a person made and that go on (people-22): all of them, or those that a person of this
 * office may not make; of a company alone where one is given.
 */
export const keysLeftBy =
  ({ rows, unrevokedBy, clock }: LeftPorts) =>
  async (userId: string, office: Office | null, companyId: string | null): Promise<readonly KeyLeft[]> => {
    const at = clock.now().toISOString();
    const isMeant = ({ expiresAt, ...key }: ApiKeyDocument): boolean =>
      (!expiresAt || expiresAt > at) &&
      (companyId === null || key.companyId === companyId) &&
      (office === null || !mayCreateKey(office, key.companyId));
    const left = await unrevokedBy(userId, isMeant, MAX_LEFT);
    const found = await rows(left.map(({ id }) => id));
    return left.map((key) => ({
      ...pick(key, 'id', 'name', 'companyId', 'mode'),
      lastUsedAt: found.get(key.id)?.lastUsedAt ?? null,
    }));
  };

/** Adds to keys what no event says: when they were last used, and how many of their sessions are open. */
export const withUse =
  ({ rows, countOpen }: UsePorts) =>
  async (keys: readonly ApiKeyDocument[]): Promise<readonly ApiKeyItem[]> => {
    const found = await rows(keys.map(({ id }) => id));
    const counts = await Promise.all(keys.map(({ id }) => countOpen(id, MAX_OPEN_SESSIONS)));
    return keys.map((key, n) => ({
      ...key,
      // Documents of version 1 are read while version 2 is filled.
      expiresAt: key.expiresAt ?? null,
      replacedBy: key.replacedBy ?? null,
      lastUsedAt: found.get(key.id)?.lastUsedAt ?? null,
      openSessions: counts[n] ?? 0,
    }));
  };
