import { request } from 'node:http';
import type { SessionCreated } from '../../client/index.ts';
import { sendFile } from '../../test/support/sendFile.ts';

/** Where bytes are put, and with what headers. */
export type Slot = Readonly<{ url: string; headers: Readonly<Record<string, string>> }>;

/**
 * Puts so many bytes, some before `between` and the rest after it; gives the status, or how the connection
 * broke.
 */
export const put = (
  { url, headers }: Slot,
  length: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': length } });
    sent.on('response', (answer) => {
      answer.resume().on('end', () => resolve(`${answer.statusCode}`));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    const first = Math.ceil(length / 2);
    sent.write(Buffer.alloc(first, ' '), () =>
      between().then(
        () => sent.end(Buffer.alloc(length - first, ' ')),
        (error: Error) => sent.destroy(error),
      ),
    );
  });

/** Puts the first part of a file, and `more` bytes than were signed. */
export const putPart = async ({ uploads: [slot] }: SessionCreated, more = 0): Promise<string> => {
  const [part] = slot?.parts ?? [];
  if (!part) throw new Error('The file is not sent in parts.');
  return put(part, part.size + more);
};

/** Sends so many bytes as a form; gives the status. */
export const sendForm = async ({ uploads: [slot] }: SessionCreated, length: number): Promise<string> => {
  if (!slot?.url || !slot.fields) throw new Error('The file is not sent as a form.');
  const answer = await sendFile({ ...slot, url: slot.url }, Buffer.alloc(length, ' '), 'application/json');
  await answer.body?.cancel();
  return `${answer.status}`;
};
