import { retryAfterOf } from './answer.ts';
import { IntakeError } from './error.ts';
import type { Source } from './files.ts';
import type { Platform } from './platform.ts';
import { attempt } from './request.ts';
import { type Limits, withRetries } from './retry.ts';

export type Uploading = Limits &
  Readonly<{
    signal: AbortSignal | undefined;
    /** How many bytes of the file have been handed over; it begins anew when the file is sent again. */
    onSent(bytes: number): void;
  }>;

/** A slower connection than this is given up. */
const BYTES_A_SECOND = 50_000;

type Sending = Readonly<{
  url: string;
  method: string;
  /** In bytes. */
  size: number;
  /**
   * Headers and body, made anew for each attempt. Once `ended` is aborted, what was opened for it is closed;
   * what can't be read aborts it with its reason.
   */
  request(onSent: (bytes: number) => void, ended: AbortController): Promise<RequestInit>;
}>;

/** Sends a file or a part of it to one address, and again after a failure that may pass. */
export const sendBytes = (
  platform: Platform,
  { url, method, size, request }: Sending,
  source: Source,
  { signal, onSent, ...limits }: Uploading,
): Promise<void> =>
  withRetries(platform, limits, signal, async () => {
    onSent(0);
    const ended = new AbortController();
    const timeoutMs = limits.timeoutMs + (size / BYTES_A_SECOND) * 1000;
    try {
      const init = { method, ...(await request(onSent, ended)) };
      await attempt(platform, url, { init, timeoutMs, signal, repeatable: true }, (response) =>
        accepted(response, source, platform.now()),
      );
    } catch (error) {
      // A file that can't be read is no failure of the network.
      throw ended.signal.aborted && !signal?.aborted ? ended.signal.reason : error;
    } finally {
      ended.abort();
    }
    onSent(size);
  });

/**
 * A request with the bytes of a file from `start` to before `end`. Its file is closed once `ended` is
 * aborted, and aborts it when it can't be read, or has fewer bytes.
 */
export const bytesToSend = async (
  source: Source,
  headers: Headers,
  { start, end }: Readonly<{ start: number; end: number }>,
  onSent: (bytes: number) => void,
  ended: AbortController,
): Promise<RequestInit> => {
  const content = await source.open(start, end);
  if (content instanceof Blob) return { headers, body: content };
  // Without a length it would be sent in chunks, which object stores refuse. `duplex` is required with a
  // stream.
  headers.set('Content-Length', String(end - start));
  // A stream that `fetch` has not read to its end would keep the file open.
  return { headers, body: counted(content, end - start, onSent, ended), duplex: 'half' };
};

/** The bytes of a stream, counted as they are read. The stream is cancelled once `ended` is aborted. */
const counted = (
  content: ReadableStream<Uint8Array>,
  size: number,
  onSent: (bytes: number) => void,
  ended: AbortController,
): ReadableStream<Uint8Array> => {
  const reader = content.getReader();
  let isClosed = false;
  const close = (): Promise<void> => {
    isClosed = true;
    return reader.cancel().catch(() => undefined);
  };
  ended.signal.addEventListener('abort', close, { once: true });
  let bytes = 0;
  const read = async () => {
    const one = await reader.read();
    if (one.done && bytes < size && !isClosed)
      throw new IntakeError({
        code: 'upload-refused',
        message: `a file ended after ${bytes} of ${size} bytes`,
      });
    return one;
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await read().catch((error) => {
      ended.abort(error);
      throw error;
    });
    if (done) return controller.close();
    bytes += value.length;
    onSent(bytes);
    controller.enqueue(value);
  };
  return new ReadableStream({ pull, cancel: close }, { highWaterMark: 0 });
};

const accepted = async (response: Response, { name, type }: Source, now: number): Promise<void> => {
  const text = await response.text();
  if (response.ok) return;
  const { status, headers } = response;
  const [, reason = text.slice(0, 200)] = /<Message>(.*?)<\/Message>/s.exec(text) ?? [];
  throw new IntakeError({
    code: 'upload-refused',
    message: `${name ?? `a file of type ${type}`} was not taken by the file store (${status}): ${reason}`,
    status,
    retryable: status === 408 || status === 429 || status >= 500,
    retryAfterMs: retryAfterOf(headers, now),
  });
};
