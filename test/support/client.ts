import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { eventually } from '../harness.ts';
import { askWhole } from './conformance.ts';
import { sendFile } from './sendFile.ts';

/** An answer of the API: `body` is its JSON, `text` as it came. */
export type Reply = Readonly<{
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and fail where a member is not there
  body: any;
  text: string;
}>;

type Init = Readonly<{
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  raw?: string | Uint8Array;
}>;
type File = Readonly<{ content: string | Uint8Array; mimeType: string }>;

/** The API as an integrator calls it. */
export type Client = ReturnType<typeof client>;

/**
 * Calls the service at `url` with a key, or with other headers; null sends none. Every answer is held to the
 * document that the service serves.
 */
export const client = (url: string, credential: string | Readonly<Record<string, string>> | null) => {
  const own = typeof credential === 'string' ? { authorization: `Bearer ${credential}` } : credential;
  const call = async (
    method: string,
    path: string,
    { headers = {}, body, raw }: Init = {},
  ): Promise<Reply> => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await askWhole(url, method, path, {
      headers: {
        ...own,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent as NonNullable<RequestInit['body']> }),
    });
    const { status, headers: received, text } = answer;
    const json = /json/.test(received.get('content-type') ?? '');
    return { status, headers: received, body: json ? JSON.parse(text) : null, text };
  };
  const get = (path: string, init?: Init): Promise<Reply> => call('GET', path, init);
  const post = (path: string, body?: unknown, init: Init = {}): Promise<Reply> =>
    call('POST', path, body === undefined ? init : { ...init, body });

  /** Opens a session and puts the files into its slots; gives the session as it was answered. */
  const open = async (files: readonly File[], input: object = {}, slug = 'receipt') => {
    const opened = await post(`/api/v1/workflows/${slug}/sessions`, input);
    assert.is(opened.status, 201, opened.text);
    for (const [index, file] of files.entries()) {
      const put = await sendFile(opened.body.uploads[index], file.content, file.mimeType);
      assert.is(put.status, 200, await put.text());
    }
    return opened.body;
  };
  const submit = (session: { sessionId: string }, slug = 'receipt'): Promise<Reply> =>
    post(`/api/v1/workflows/${slug}/sessions/${session.sessionId}/submit`);
  const job = (session: { sessionId: string }) => get(`/api/v1/jobs/${session.sessionId}`);
  const ended = (session: { sessionId: string }, timeoutMs?: number) =>
    eventually(
      `the end of ${session.sessionId}`,
      async () => {
        const { body } = await job(session);
        return ['completed', 'failed', 'cancelled', 'expired'].includes(body.state) && body;
      },
      timeoutMs,
    );
  /** Opens, uploads, submits and waits for the end; gives the job. */
  const process = async (files: readonly File[], input: object = {}, slug = 'receipt') => {
    const session = await open(files, input, slug);
    const submitted = await submit(session, slug);
    assert.is(submitted.status, 202, submitted.text);
    // A picture takes its time on a busy machine; the test's own limit is what it is held to.
    return ended(session, 60_000);
  };
  return { call, get, post, open, submit, job, ended, process };
};

/** The input of a session that declares its files: every store takes them by PUT. */
export const declaring = (files: readonly File[]) => ({
  files: files.map(({ content, mimeType }) => ({ mimeType, fileSize: Buffer.byteLength(content) })),
});

/** A receipt as text, which the document extractor reads. */
export const receiptText = (members: Readonly<Record<string, unknown>> = {}): File => ({
  content: JSON.stringify({ company: 'ACME Trading', date: '2018-03-12', total: 80.9, ...members }),
  mimeType: 'application/json',
});

/**
 * Keeps so many requests waiting until `init.signal` is aborted, and ends with the last of them. One that is
 * refused or answered is sent again: a probe may have had its place.
 */
export const keepWaiting = (
  count: number,
  url: string,
  init: Readonly<{ headers: Readonly<Record<string, string>>; signal: AbortSignal }>,
): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      while (!init.signal.aborted) {
        await fetch(url, init)
          .then((answer) => answer.text())
          .catch(() => null);
        await sleep(100);
      }
    }),
  );
