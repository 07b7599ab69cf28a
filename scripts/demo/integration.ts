import { readFile } from 'node:fs/promises';

/** What the demo reads of an answer. */
export type Job = Readonly<{
  sessionId: string;
  submissionId: string;
  state: string;
  submissionStatus: string;
}>;

/** Whether a job has come to an end, or waits for a person. */
export const isProcessed = ({ state }: Job): boolean => !['pending', 'queued', 'processing'].includes(state);

/** A session as it is opened: where each file is put. */
export type Session = Readonly<{
  sessionId: string;
  submissionId: string;
  uploads: readonly Readonly<{ method: string; url: string; headers: Readonly<Record<string, string>> }>[];
}>;

/** A file to be sent; `name` is what it is called at its source. */
export type SentFile = Readonly<{ name?: string; mimeType: string; content: Buffer }>;

/** A request with a JSON body, answered with JSON. Throws with what the service said when it refused. */
export const request = async <T>(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<T> => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${method} ${new URL(url).pathname} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
};

/** The API as an integration, or a person with a session's token, uses it, over HTTP alone. */
export const integration = (url: string, credential: string, more: Readonly<Record<string, string>> = {}) => {
  const headers = { ...more, authorization: `Bearer ${credential}` };
  const call = <T>(method: string, path: string, body?: object): Promise<T> =>
    request<T>(method, `${url}/api/v1${path}`, headers, body);

  /** Opens a session, puts the file straight into object storage, and submits. `input`: what else opens the session. */
  const submit = async (
    slug: string,
    { name, mimeType, content }: SentFile,
    input: object = {},
  ): Promise<Job> => {
    const files = [{ mimeType, fileSize: content.length, ...(name !== undefined && { fileName: name }) }];
    const session = await call<Session>('POST', `/workflows/${slug}/sessions`, { ...input, files });
    for (const { method, url: target, headers: given } of session.uploads) {
      const { status } = await fetch(target, {
        method,
        headers: { ...given },
        body: new Uint8Array(content),
      });
      if (status !== 200) throw new Error(`the upload of ${name ?? slug} was answered ${status}`);
    }
    return call<Job>('POST', `/workflows/${slug}/sessions/${session.sessionId}/submit`);
  };

  return {
    get: <T>(path: string): Promise<T> => call<T>('GET', path),
    post: <T>(path: string, body?: object): Promise<T> => call<T>('POST', path, body),
    submit,
    /** Sends a receipt that is a file of this machine. */
    send: async (
      file: string,
      mimeType: string,
      webhookUrl: string | null,
      clientSubmissionId: string,
    ): Promise<Job> => {
      const input = { ...(webhookUrl !== null && { webhookUrl }), clientSubmissionId };
      return submit('receipt', { mimeType, content: await readFile(file) }, input);
    },
  };
};
export type Integration = ReturnType<typeof integration>;

/** An extracted value as text, null when there is none. */
export const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);
