import type { keys } from '../../commands/keys.ts';
import type { ApiKey } from '../../domain/apiKey.ts';
import type { Mode } from '../../kernel/scope.ts';
import type { ApiKeyDocument, ApiKeyItem, apiKeyQueries } from '../../projections/apiKeys.ts';
import {
  ApiKeyMade,
  ApiKeyRequest,
  ApiKeyRevoked,
  ApiKeyRotated,
  ApiKeys,
  OwnKey,
  RotateApiKey,
} from '../../schemas/keys.ts';
import { cursor, keyId, limit } from '../../schemas/parameters.ts';
import { NoMembers } from '../../schemas/sessions.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import type { PersonCaller } from '../engine/access/caller.ts';
import { secretShown } from '../engine/request/idempotency.ts';
import { pageOf } from '../engine/request/paging.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, isWithin } from './caller.ts';
import { companyFaults } from './offices.ts';

type Commands = ReturnType<typeof keys>;

type KeyPorts = Readonly<{
  keys: Commands;
  /** A key as the log has it; null for none. */
  current(keyId: string): Promise<ApiKey | null>;
  list: ReturnType<typeof apiKeyQueries>['list'];
  listOf: ReturnType<typeof apiKeyQueries>['listOf'];
  /** Adds when keys were last used, and how many of their sessions are open. */
  withUse(keys: readonly ApiKeyDocument[]): Promise<readonly ApiKeyItem[]>;
  company(companyId: string): Promise<object | null>;
  standardWebhooksSecret(hash: string): string;
}>;

const ONE_DAY_S = 86_400;

/**
 * API keys, for the administrators of a company and of the platform (keys-10); to a key itself, which it is.
 */
export const keyRoutes = (ports: KeyPorts): readonly Route[] => [
  ownRoute(ports),
  listRoute(ports),
  createRoute(ports),
  ...changeRoutes(ports),
];

const ownRoute = ({ current }: KeyPorts): Route =>
  route({
    name: 'getOwnKey',
    summary: 'Get the API key of the request: its company and its mode',
    description: 'For programs that are given a key alone.',
    method: 'GET',
    path: '/api/v1/keys/current',
    access: 'keys.own',
    answers: { 200: OwnKey },
  })({
    find: ({ caller }) => current(caller.keyId),
    run: async ({ found: { keyId: id, name, companyId, mode, rotation } }) => ({
      status: 200,
      body: { id, name, companyId, mode, expiresAt: rotation?.expiresAt ?? null },
    }),
  });

const listRoute = ({ list, listOf, withUse }: KeyPorts): Route =>
  route({
    name: 'listKeys',
    summary: 'List the API keys of the company, newest first; all to a super_admin who names none',
    description: 'Without secrets, which are shown once, when a key is made.',
    method: 'GET',
    path: '/api/v1/keys',
    access: 'keys.read',
    query: { cursor, limit },
    answers: { 200: ApiKeys },
  })({
    run: async ({ caller: { companyId }, query }) => {
      const read = async (size: number, after: Parameters<typeof list>[1]) => {
        const page = await (companyId === null ? list(size, after) : listOf(companyId, size, after));
        return { ...page, items: await withUse(page.items) };
      };
      const filters = { list: 'keys', companyId };
      return { status: 200, body: await pageOf(query, filters, read, itemOf) };
    },
  });

const itemOf = ({ mode, ...key }: ApiKeyItem) => ({ ...key, mode: mode as Mode });

const createRoute = (ports: KeyPorts): Route =>
  route({
    name: 'createKey',
    summary: 'Make an API key; its secrets are in this answer alone',
    description:
      'Only hashes are stored. So an `Idempotency-Key` keeps a request from making two keys, and gets a 409 `secret-shown-once` instead of the answer again.',
    method: 'POST',
    path: '/api/v1/keys',
    access: 'keys.manage',
    body: ApiKeyRequest,
    answers: { 201: ApiKeyMade },
    refusals: ['secret-shown-once'],
  })({
    replay: refuseRepetition(ports),
    check: ({ caller, body: { companyId } }) => companyFaults(caller, companyId, ports.company),
    run: async ({ body: { companyId, mode = 'live', name = null }, ...request }) => {
      const { userId: createdBy } = request.caller;
      const facts = { companyId, mode, name };
      const input = { ...facts, createdBy, ulid: request.reserved.ulid };
      const { id, key, hash, position } = await ports.keys.createKey(input, commandContext(request));
      return { status: 201, position, body: { id, ...facts, ...secretsOf(ports, key, hash) } };
    },
  });

const secretsOf = ({ standardWebhooksSecret }: KeyPorts, key: string, hash: string) => ({
  key,
  webhookSecret: hash,
  standardWebhooksSecret: standardWebhooksSecret(hash),
});

/** `keyId`: of a rotation, the key to replace. */
type Repetition = Readonly<{ reserved: Reserved; parameters: Readonly<{ keyId?: string }> }>;

/** Refuses a request that has made a key before; null when it has made none. */
const refuseRepetition =
  ({ keys, current }: KeyPorts) =>
  async ({ reserved, parameters: { keyId } }: Repetition): Promise<null> => {
    const made = await keys.keyMadeFor(reserved.ulid);
    if (made === null) return null;
    const old = keyId === undefined ? null : await current(keyId);
    // The request has stopped half-way.
    const isUnchanged = old !== null && !old.revoked && old.rotation === null;
    const rest = isUnchanged ? ` The key ${old.keyId} was not replaced by it, and still works.` : '';
    throw secretShown(
      `This request has made the key ${made.keyId}, whose secret was shown once. If it is lost, revoke that key and make another.${rest}`,
    );
  };

type KeyRequest = Readonly<{ caller: PersonCaller; parameters: Readonly<{ keyId: string }> }>;

const changeRoutes = (ports: KeyPorts): readonly Route[] => {
  const find = async ({ caller, parameters }: KeyRequest): Promise<ApiKey | null> => {
    const found = await ports.current(parameters.keyId);
    return found && isWithin(caller, found) ? found : null;
  };
  return [
    route({
      name: 'revokeKey',
      summary: 'Refuse an API key from now on',
      description: 'Webhooks of its sessions are still sent, signed with its secret. It may be repeated.',
      method: 'POST',
      path: '/api/v1/keys/{keyId}/revoke',
      access: 'keys.manage',
      parameters: { keyId },
      body: NoMembers,
      answers: { 200: ApiKeyRevoked },
    })({
      find,
      run: async ({ found, ...request }) => {
        const { keyId: id } = found;
        const { revokedAt, position } = await ports.keys.revokeKey(id, commandContext(request));
        return { status: 200, position, body: { id, revokedAt } };
      },
    }),
    route({
      name: 'rotateKey',
      summary: 'Replace an API key by a new one, while both work for a time',
      description:
        'The new key has the same company, mode and name; its secrets are in this answer alone. Sessions and jobs stay those of the key that opened them: `openSessions` of the list says how many the old one still has.',
      method: 'POST',
      path: '/api/v1/keys/{keyId}/rotate',
      access: 'keys.manage',
      parameters: { keyId },
      body: RotateApiKey,
      answers: { 201: ApiKeyRotated },
      refusals: ['key-not-active', 'secret-shown-once'],
    })({
      replay: refuseRepetition(ports),
      find,
      run: async ({ found, body: { overlapSeconds = ONE_DAY_S }, ...request }) => {
        const { keyId: id, companyId, mode, name } = found;
        const { userId: createdBy } = request.caller;
        const input = { keyId: id, overlapSeconds, createdBy, ulid: request.reserved.ulid };
        const { made, expiresAt, position } = await ports.keys.rotateKey(input, commandContext(request));
        const secrets = secretsOf(ports, made.key, made.hash);
        const facts = { id: made.id, companyId, mode, name };
        return { status: 201, position, body: { ...facts, ...secrets, replaced: { id, expiresAt } } };
      },
    }),
  ];
};
