import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';

export type Sending = Readonly<{
  method: string;
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string;
}>;

export type Received = Readonly<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>;

/**
 * Sends exactly these headers and bytes, as no browser would: nothing is added, mended or refused on the way
 * out.
 */
export const httpSend = ({ method, url, headers = {}, body }: Sending): Promise<Received> =>
  new Promise((resolve, reject) => {
    const open = url.startsWith('https:') ? overHttps : overHttp;
    const sent = open(url, { method, headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of answer) chunks.push(chunk);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
