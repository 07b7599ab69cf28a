import type { KMSClient, KMSClientConfig } from '@aws-sdk/client-kms';
import { StoreMisconfigured, StoreUnavailable } from '../../kernel/errors.ts';
import { KMS_PREFIX, type Root } from './root.ts';

/** Unset: the SDK's own search. */
export type KmsSettings = Readonly<{
  endpoint: string | null;
  region: string | null;
  credentials: NonNullable<KMSClientConfig['credentials']> | null;
}>;

const TIMES = { connectionTimeout: 3_000, requestTimeout: 5_000 };

/**
 * A key of AWS KMS (its id or ARN) as a root, by Encrypt and Decrypt: a call for each wrapping key that a
 * process reads, none for a request. The SDK is loaded by the first call.
 */
export const kmsRoot =
  (settings: KmsSettings) =>
  (id: string): Root => {
    const call = calling(settings, id);
    return {
      id: `${KMS_PREFIX}${id}`,
      wrap: (context, key) =>
        call(async (client, { EncryptCommand }) => {
          const request = { KeyId: id, Plaintext: key, EncryptionContext: { intake: context } };
          return Buffer.from((await client.send(new EncryptCommand(request))).CiphertextBlob ?? []).toString(
            'base64',
          );
        }),
      unwrap: (context, wrapped) =>
        call(async (client, { DecryptCommand }) => {
          const CiphertextBlob = Buffer.from(wrapped, 'base64');
          const request = { KeyId: id, CiphertextBlob, EncryptionContext: { intake: context } };
          const { Plaintext } = await client.send(new DecryptCommand(request));
          if (Plaintext?.length !== 32) throw new Error('it gave no key of 32 bytes');
          return Uint8Array.from(Plaintext);
        }),
    };
  };

type Sdk = typeof import('@aws-sdk/client-kms');

const calling =
  ({ endpoint, region, credentials }: KmsSettings, id: string) =>
  async <T>(use: (client: KMSClient, sdk: Sdk) => Promise<T>): Promise<T> => {
    const sdk = await import('@aws-sdk/client-kms');
    const client = new sdk.KMSClient({
      ...(endpoint === null ? {} : { endpoint }),
      ...(region === null ? {} : { region }),
      ...(credentials === null ? {} : { credentials }),
      requestHandler: TIMES,
      maxAttempts: 2, // a start tries again by itself
    });
    try {
      return await use(client, sdk);
    } catch (error) {
      throw failure(error as Error, id);
    } finally {
      client.destroy();
    }
  };

/** What waiting does not mend: a refusal of the request, but for throttling; no credentials, no region. */
const failure = (error: Error & { $metadata?: { httpStatusCode?: number } }, id: string): Error => {
  const status = error.$metadata?.httpStatusCode ?? 0;
  const refused = status >= 400 && status < 429 && !/Throttl|LimitExceeded/.test(error.name);
  const unset = error.name === 'CredentialsProviderError' || /region is missing/i.test(error.message);
  const text = `${error.name}: ${error.message}`;
  return refused || unset
    ? new StoreMisconfigured(`AWS KMS refuses to use ${id} (KMS_KEY): ${text}`, { cause: error })
    : new StoreUnavailable(`AWS KMS can’t be used, which wraps the sealing keys: ${text}`, { cause: error });
};
