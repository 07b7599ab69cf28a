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

/** The API as an integration uses it, over HTTP alone. */
export const integration = (url: string, key: string) => {
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };

  return {
    get: <T>(path: string): Promise<T> => call<T>('GET', path),
    post: <T>(path: string, body?: object): Promise<T> => call<T>('POST', path, body),

    /** Opens a session, puts the file straight into object storage, and submits. */
    send: async (
      file: string,
      mimeType: string,
      webhookUrl: string | null,
      clientSubmissionId: string,
    ): Promise<Job> => {
      const content = await readFile(file);
      const files = [{ mimeType, fileSize: content.length }];
      const input = { ...(webhookUrl !== null && { webhookUrl }), clientSubmissionId, files };
      const session = await call<Session>('POST', '/workflows/receipt/sessions', input);
      for (const { method, url: target, headers } of session.uploads) {
        const { status } = await fetch(target, { method, headers: { ...headers }, body: content });
        if (status !== 200) throw new Error(`the upload of ${file} was answered ${status}`);
      }
      return call<Job>('POST', `/workflows/receipt/sessions/${session.sessionId}/submit`);
    },
  };
};
export type Integration = ReturnType<typeof integration>;

/** An extracted value as text, null when there is none. */
export const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);
