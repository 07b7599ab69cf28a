import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { decrypt, encrypt } from '../../kernel/sealing.ts';
import type { SubjectKeys } from '../events/subjectKeys.ts';
import type { ObjectStore, SealedObjects } from './port.ts';

type Options = Readonly<{
  objects: Pick<ObjectStore, 'put' | 'read'>;
  keys: Pick<SubjectKeys, 'obtain'>;
}>;

/** Seals objects as private parts of events are sealed, each bound to its own key in the store. */
export const sealedObjects = ({ objects, keys }: Options): SealedObjects => ({
  put: async (subject, key, bytes) => {
    const sealing = await keys.obtain(subject);
    if (!sealing) return false;
    const sealed = encrypt(sealing, randomBytes(12), key, bytes);
    await objects.put(key, Buffer.from(sealed, 'base64'), 'application/octet-stream');
    return true;
  },
  read: async (subject, key) => {
    const sealing = await keys.obtain(subject);
    const stored = sealing && (await objects.read(key));
    return stored && decrypt(sealing, key, (await buffer(stored)).toString('base64'));
  },
});
