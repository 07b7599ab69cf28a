import { randomBytes } from 'node:crypto';
import { hmacId } from '../kernel/hmac.ts';
import type { Tables } from './documents/port.ts';
import { changeRow, removeRow } from './documents/rows.ts';
import type { Keyring, Purpose, SealedTable } from './keyring/keyring.ts';

export type EndpointSecrets = Readonly<ReturnType<typeof createEndpointSecrets>>;

/** `until`: from when on it is no longer valid (ISO 8601); null for the newest. */
type Kept = Readonly<{ sealed: string; until: string | null }>;
/** Newest first. */
type Row = Readonly<{ secrets: readonly Kept[] }>;

const TABLE = 'endpointSecrets';
const SECRET_BYTES = 32;
/** Each of them signs every attempt, in one header. */
const MAX_VALID = 5;

/** A secret as Standard Webhooks libraries take it: `whsec_` and a key in base64. */
const drawSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/**
 * The table `endpointSecrets`: what signs the webhooks of each endpoint, sealed under a key that a wrapping
 * key gives each of them. A secret is in no event, and in no answer but the one that it was made by.
 */
export const createEndpointSecrets = ({
  tables,
  keyring,
}: Readonly<{ tables: Tables; keyring: Keyring }>) => {
  return {
    /**
     * Makes a new secret, and gives it. Former ones are valid until `formerUntil` (ISO 8601) at the latest;
     * what has expired by `at` is forgotten, and of more than five valid ones the oldest.
     */
    renew: async (endpointId: string, formerUntil: string, at: string): Promise<string> => {
      const secret = drawSecret();
      const made = { sealed: await keyring.seal(PURPOSE, endpointId, Buffer.from(secret)), until: null };
      await changeRow<Row>(tables, TABLE, endpointId, (row) => {
        const former = (row?.secrets ?? []).map((kept) => endingBy(kept, formerUntil));
        const valid = former.filter((kept) => isValid(kept, at));
        return { secrets: [made, ...valid].slice(0, MAX_VALID) };
      });
      return secret;
    },
    /** The secrets that are valid at a time (ISO 8601), newest first; none for an unknown endpoint. */
    validAt: async (endpointId: string, at: string): Promise<readonly string[]> => {
      const found = await tables.read<Row>(TABLE, endpointId);
      const valid = (found?.row.secrets ?? []).filter((kept) => isValid(kept, at));
      await keyring.learn(valid.map(({ sealed }) => sealed));
      return valid.map(({ sealed }) => keyring.open(PURPOSE, endpointId, sealed).toString());
    },
    /** Forgets all secrets of an endpoint. */
    remove: (endpointId: string): Promise<void> => removeRow(tables, TABLE, endpointId),
  };
};

const endingBy = (kept: Kept, until: string): Kept =>
  kept.until !== null && kept.until < until ? kept : { ...kept, until };

const isValid = ({ until }: Kept, at: string): boolean => until === null || until > at;

const PURPOSE: Purpose = {
  keyOf: (by, endpointId) => Buffer.from(hmacId(by, 'endpoint secret', endpointId), 'hex'),
  contextOf: (endpointId) => endpointId,
};

/** The rows of `endpointSecrets`, for a rotation. */
export const sealedEndpointSecrets: SealedTable<Row> = {
  table: TABLE,
  reseal: async (keyring, endpointId, { secrets }) => {
    const resealed = await Promise.all(
      secrets.map(({ sealed }) => keyring.reseal(PURPOSE, endpointId, sealed)),
    );
    if (resealed.every((sealed) => sealed === null)) return null;
    return { secrets: secrets.map((kept, index) => ({ ...kept, sealed: resealed[index] ?? kept.sealed })) };
  },
};
