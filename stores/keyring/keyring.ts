import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { StoreMisconfigured, StoreUnavailable } from '../../kernel/errors.ts';
import { hmacId, type NameOf } from '../../kernel/hmac.ts';
import { shared } from '../../kernel/once.ts';
import { decrypt, encrypt } from '../../kernel/sealing.ts';
import type { Tables } from '../documents/port.ts';
import { fingerprintOf, KMS_PREFIX, masterRoot, type Root, type Roots } from './root.ts';

/** What is sealed: the key for it that a wrapping key gives, and what it is bound to. */
export type Purpose = Readonly<{
  keyOf(by: Uint8Array, id: string): Uint8Array;
  contextOf(id: string): string;
}>;

/**
 * Seals under the newest wrapping key, and opens under any. A sealed text has its generation in front; one
 * without was sealed under generation 0.
 */
export type Keyring = Readonly<{
  /** HMAC-SHA256 of a text under the naming key (64 hex digits): the same for ever. */
  derive(text: string): string;
  nameOf: NameOf;
  seal(purpose: Purpose, id: string, bytes: Uint8Array): Promise<string>;
  /** Reads the wrapping keys of these texts that are not known yet: a rotation may have made one. */
  learn(texts: readonly string[]): Promise<void>;
  /** Opens a text that has been learnt. Throws when it is not what was sealed. */
  open(purpose: Purpose, id: string, text: string): Buffer;
  /** The same text under the newest wrapping key; null where it is. */
  reseal(purpose: Purpose, id: string, text: string): Promise<string | null>;
}>;

/**
 * A table whose rows hold sealed texts: a row with them under the newest wrapping key, null where they are.
 */
export type SealedTable<R> = Readonly<{
  table: string;
  reseal(keyring: Keyring, key: string, row: R): Promise<object | null>;
}>;

/**
 * A key as it is stored. `root`: the id of what wrapped it. `rotatedAt`: since when nothing is sealed under
 * an older one.
 */
export type WrappedKey = Readonly<{
  root: string;
  wrapped: string;
  madeAt: string;
  rotatedAt: string | null;
}>;

export const WRAPPING_KEYS = 'wrappingKeys';
export const NAMING = 'naming';
/** So long a process may go on sealing under a generation that is no longer the newest. */
export const REFRESH_MS = 2_000;
const KEY_BYTES = 32;

type Options = Readonly<{ tables: Tables; roots: Roots; clock: Clock; elapsedMs?: () => number }>;

export type StoredKeyring = ReturnType<typeof storedKeyring>;

/**
 * The wrapping keys and the naming key, in the table `wrappingKeys`, each wrapped by a root; they are kept in
 * memory. To be loaded before anything is named or sealed. On data of a release that sealed under the
 * master key itself that key is generation 0, and names.
 */
export const storedKeyring = ({ tables, roots, clock, elapsedMs = () => performance.now() }: Options) => {
  const known = new Map<number, Uint8Array>();
  let naming: Uint8Array | null = null;
  let newest = -1;
  let readAt = Number.NEGATIVE_INFINITY;

  const rows = async (): Promise<ReadonlyMap<string, WrappedKey>> =>
    new Map((await tables.list<WrappedKey>(WRAPPING_KEYS)).map(({ key, row }) => [key, row]));
  const read = async (): Promise<void> => {
    const at = elapsedMs();
    const found = await rows();
    const generations = [...found.keys()].filter((key) => key !== NAMING).map(Number);
    for (const generation of generations)
      if (!known.has(generation)) known.set(generation, await unwrapped(roots, `${generation}`, found));
    naming ??= await unwrapped(roots, NAMING, found);
    newest = Math.max(...generations);
    readAt = at;
  };
  const keyOf = (generation: number): Uint8Array => {
    const key = known.get(generation);
    if (!key) throw new StoreMisconfigured(`the wrapping key ${generation} is not there: ${RESTORE}`);
    return key;
  };
  const fingerprint = async (): Promise<string | null> =>
    (await tables.read<{ fingerprint: string }>('masterKey', 'fingerprint'))?.row.fingerprint ?? null;
  const make = async (): Promise<void> => {
    const former = await fingerprint();
    const own = former === null ? null : formerKey(roots.master(), former);
    // The name last: where it is, all is.
    const root = roots.current();
    await insert(own ? '0' : '1', own ?? randomBytes(KEY_BYTES), root, true);
    await insert(NAMING, own ?? randomBytes(KEY_BYTES), root, true);
  };
  const insert = async (name: string, key: Uint8Array, root: Root, rotated: boolean): Promise<void> => {
    const wrapped = await root.wrap(contextOf(name), key);
    const madeAt = clock.now().toISOString();
    const row: WrappedKey = { root: root.id, wrapped, madeAt, rotatedAt: rotated ? madeAt : null };
    await tables.insert(WRAPPING_KEYS, name, row); // another process may have been quicker: then its key counts
  };

  const namingKey = (): Uint8Array => {
    if (!naming) throw new StoreUnavailable('the sealing keys have not been read yet');
    return naming;
  };
  const current = shared(read);
  const keyring: Keyring = {
    derive: (text) => createHmac('sha256', namingKey()).update(text).digest('hex'),
    nameOf: (...parts) => hmacId(namingKey(), ...parts),
    seal: async (purpose, id, bytes) => {
      if (elapsedMs() - readAt >= REFRESH_MS) await current();
      const sealed = encrypt(purpose.keyOf(keyOf(newest), id), randomBytes(12), purpose.contextOf(id), bytes);
      return newest === 0 ? sealed : `${newest}.${sealed}`;
    },
    learn: async (texts) => {
      if (texts.some((text) => !known.has(generationOf(text)))) await read();
    },
    open: (purpose, id, text) => {
      const key = purpose.keyOf(keyOf(generationOf(text)), id);
      return decrypt(key, purpose.contextOf(id), text.slice(text.indexOf('.') + 1));
    },
    reseal: async (purpose, id, text) => {
      if (generationOf(text) >= newest) return null;
      await keyring.learn([text]);
      return keyring.seal(purpose, id, keyring.open(purpose, id, text));
    },
  };
  return {
    ...keyring,
    /** Whether anything was sealed here before. */
    exists: async (): Promise<boolean> =>
      (await tables.read(WRAPPING_KEYS, NAMING)) !== null || (await fingerprint()) !== null,
    /** Reads all keys, made on first use. Throws `StoreMisconfigured` where no root opens them. */
    load: async (): Promise<void> => {
      if (!(await tables.read(WRAPPING_KEYS, NAMING))) await make();
      await read();
    },
    rows,
    /** Makes the next generation, wrapped by a root: everything is sealed under it from now on. */
    renew: async (root: Root): Promise<void> => {
      await read();
      await insert(`${newest + 1}`, randomBytes(KEY_BYTES), root, false);
      await read();
    },
    /** The generation that is sealed under now. */
    newest: (): number => newest,
  };
};

/** The generation that a text was sealed under. */
export const generationOf = (text: string): number => {
  const end = text.indexOf('.'); // base64 has none
  return end < 0 ? 0 : Number(text.slice(0, end));
};

/** What a wrapped key is bound to. */
export const contextOf = (name: string): string => `wrapping key ${name}`;

/** A key of the table, unwrapped. Throws `StoreMisconfigured` where no root of this process opens it. */
export const unwrapped = async (
  roots: Roots,
  name: string,
  rows: ReadonlyMap<string, WrappedKey>,
): Promise<Uint8Array> => {
  const row = rows.get(name);
  if (!row) throw new StoreMisconfigured(`the wrapping key ${name} is not there: ${RESTORE}`);
  return rootOf(roots, row.root).unwrap(contextOf(name), row.wrapped);
};

const rootOf = (roots: Roots, id: string): Root => {
  if (id.startsWith(KMS_PREFIX)) {
    if (roots.kms) return roots.kms(id.slice(KMS_PREFIX.length));
    throw new StoreMisconfigured(
      `This data is sealed under ${id.slice(KMS_PREFIX.length)} of AWS KMS: set KMS_KEY.`,
    );
  }
  const found = roots
    .master()
    .map(masterRoot)
    .find((root) => root.id === id);
  if (!found) throw wrongKey();
  return found;
};

const formerKey = (keys: readonly Uint8Array[], fingerprint: string): Uint8Array => {
  const found = keys.find((key) => fingerprintOf(key) === fingerprint);
  if (!found) throw wrongKey();
  return found;
};

const wrongKey = (): StoreMisconfigured =>
  new StoreMisconfigured(
    'MASTER_KEY (or master.key in DATA_DIR) is not the key that this data was sealed under. Set the one that was used, or beside a new one MASTER_KEY_PREVIOUS: no other can read it.',
  );

const RESTORE = 'restore the sealing keys from a backup';
