import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Kms = Awaited<ReturnType<typeof startKms>>;

type Asked = Readonly<{
  KeyId?: string;
  Plaintext?: string;
  CiphertextBlob?: string;
  EncryptionContext?: Readonly<Record<string, string>>;
}>;
type Answer = Readonly<{ status: number; body: object }>;

/**
 * Stands in for AWS KMS with one key: Encrypt and Decrypt of its JSON protocol, signed by Signature Version 4
 * as `accessKeyId`. A ciphertext opens with its own encryption context alone. `fail` makes it answer so until
 * it is called with null.
 */
export const startKms = async (keyId: string, accessKeyId: string) => {
  const key = randomBytes(32);
  const calls: string[] = [];
  let failing: Answer | null = null;
  const operations: Readonly<Record<string, (asked: Asked) => Answer>> = {
    'TrentService.Encrypt': ({ Plaintext = '', EncryptionContext = {} }) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aadOf(EncryptionContext));
      const bytes = [cipher.update(Plaintext, 'base64'), cipher.final()];
      const CiphertextBlob = Buffer.concat([nonce, ...bytes, cipher.getAuthTag()]).toString('base64');
      return { status: 200, body: { KeyId: keyId, CiphertextBlob } };
    },
    'TrentService.Decrypt': ({ CiphertextBlob = '', EncryptionContext = {} }) => {
      const blob = Buffer.from(CiphertextBlob, 'base64');
      const cipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12)).setAAD(
        aadOf(EncryptionContext),
      );
      cipher.setAuthTag(blob.subarray(-16));
      try {
        const bytes = [cipher.update(blob.subarray(12, -16)), cipher.final()];
        return { status: 200, body: { KeyId: keyId, Plaintext: Buffer.concat(bytes).toString('base64') } };
      } catch {
        return refusal('InvalidCiphertextException');
      }
    },
  };
  const answerTo = ({ headers, method }: IncomingMessage, asked: Asked): Answer => {
    if (failing) return failing;
    const signed = new RegExp(
      `^AWS4-HMAC-SHA256 Credential=${accessKeyId}/\\d{8}/[\\w-]+/kms/aws4_request, SignedHeaders=.*host.*, Signature=[0-9a-f]{64}$`,
    );
    if (!signed.test(headers.authorization ?? '')) return refusal('UnrecognizedClientException');
    const operation = operations[`${headers['x-amz-target']}`];
    if (method !== 'POST' || headers['content-type'] !== 'application/x-amz-json-1.1' || !operation)
      return refusal('UnknownOperationException');
    if (asked.KeyId !== keyId) return refusal('NotFoundException');
    calls.push(`${headers['x-amz-target']} ${Object.values(asked.EncryptionContext ?? {})}`);
    return operation(asked);
  };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body } = answerTo(request, JSON.parse(Buffer.concat(chunks).toString()) as Asked);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What it was asked and has answered: the operation and its context. */
    calls,
    fail: (answer: Answer | null): void => {
      failing = answer;
    },
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

export const refusal = (type: string, status = 400): Answer => ({
  status,
  body: { __type: type, message: `it is ${type}` },
});

const aadOf = (context: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort()));
