import { Agent, request } from 'undici';

/** An answer, whole. */
export type Answer = Readonly<{ status: number; headers: Headers; bytes: Buffer; text: string }>;

/** What `fetch` of Node adds to every request; it asks for no encoding here, since the service has none. */
const ADDED = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };
const PLAIN = 'text/plain;charset=UTF-8';

const agent = new Agent({ bodyTimeout: 0, headersTimeout: 0 });

/**
 * Sends what `fetch` would, follows no redirect, and reads the whole answer: `fetch` itself takes more
 * processor time than the service that answers. Throws as `fetch` does.
 */
export const exchange = async (
  url: string,
  { method = 'GET', headers: own, body, signal }: RequestInit,
): Promise<Answer> => {
  const headers = new Headers(own);
  const sent = { ...ADDED, ...(typeof body === 'string' ? { 'content-type': PLAIN } : {}) };
  for (const [name, value] of headers) Object.assign(sent, { [name]: value });
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: method as 'GET',
      headers: sent,
      body: (body ?? null) as string | Uint8Array | null,
      signal: signal ?? null,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return {
      status: answer.statusCode,
      headers: headersOf(answer.headers),
      bytes,
      text: bytes.toString(),
    };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new TypeError('fetch failed', { cause });
  }
};

const headersOf = (received: Readonly<Record<string, string | string[] | undefined>>): Headers => {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(received))
    for (const one of [value].flat()) headers.append(name, one);
  return headers;
};
