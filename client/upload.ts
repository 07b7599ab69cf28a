import type { UploadSlot } from './api.ts';
import type { Source } from './files.ts';
import type { Platform } from './platform.ts';
import { bytesToSend, sendBytes, type Uploading } from './sendBytes.ts';
import { uploadParts } from './uploadParts.ts';

/**
 * Sends a file as its slot says, and again after a failure that may pass, read anew each time. Throws an
 * IntakeError `upload-refused` with the store's status for one that it does not take.
 */
export const upload = async (
  platform: Platform,
  slot: UploadSlot,
  source: Source,
  options: Uploading,
): Promise<void> => {
  const { url, method, parts } = slot;
  if (parts) return uploadParts(platform, parts, source, options);
  if (url === null) throw new TypeError('the slot has neither an address nor parts');
  const request = (onSent: (bytes: number) => void, ended: AbortController) =>
    requestOf(slot, source, onSent, ended);
  await sendBytes(platform, { url, method, size: source.size, request }, source, options);
};

const requestOf = async (
  { headers, fields }: UploadSlot,
  source: Source,
  onSent: (bytes: number) => void,
  ended: AbortController,
): Promise<RequestInit> => {
  if (fields) {
    const content = await source.open(0, source.size);
    return { headers, body: await formOf({ ...fields, 'Content-Type': source.type }, content) };
  }
  const sent = new Headers(headers);
  if (!sent.has('Content-Type')) sent.set('Content-Type', source.type);
  return bytesToSend(source, sent, { start: 0, end: source.size }, onSent, ended);
};

const formOf = async (
  fields: Readonly<Record<string, string>>,
  content: Blob | ReadableStream<Uint8Array>,
): Promise<FormData> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', content instanceof Blob ? content : await new Response(content).blob());
  return form;
};
