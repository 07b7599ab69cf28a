import { openAsBlob } from 'node:fs';
import type { PublicKey } from '../../../evidence/keys.ts';
import { openPackage } from '../../../evidence/package/open.ts';
import type { Source } from '../../../evidence/package/source.ts';
import { openZip } from '../../../evidence/package/zip.ts';
import { type ToldVerdict, toldVerdict } from '../../../evidence/verify/told.ts';
import { verifyPackage } from '../../../evidence/verify.ts';
import { readPublicKey } from '../../../evidence/web/keys.ts';
import { verifyInBrowser } from '../../../evidence/web/verify.ts';
import { zipFileOf } from '../../../evidence/web/zipFile.ts';

/** A way to verify packages. `derivesState`: it derives state.json again. */
export type Verification = Readonly<{
  name: string;
  derivesState: boolean;
  verify(source: Source, key: PublicKey): Promise<ToldVerdict>;
  openZip(path: string): Promise<Source>;
}>;

/** By the command line, and as browsers do: Node has the same WebCrypto and streams. */
export const verifications: readonly Verification[] = [
  { name: 'by the command line', derivesState: true, verify: verifyPackage, openZip: openPackage },
  {
    name: 'as a browser does',
    derivesState: false,
    verify: async (source, { pem }) => {
      const key = await readPublicKey(pem);
      if (key === null) throw new Error('it is no public key');
      return toldVerdict(await verifyInBrowser(source, key));
    },
    openZip: async (path) => openZip(zipFileOf(await openAsBlob(path))),
  },
];
