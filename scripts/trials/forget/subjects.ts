import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendFile } from '../../../test/support/sendFile.ts';
import { pdfOf } from '../../samples/pdf.ts';
import { noise, type Plants } from './planted.ts';

/** An answer as bytes. */
type Answer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; bytes: Buffer }>;

/** Somebody who calls the service; `post` gives the body of the answer, and throws for a refusal. */
export type Caller = Readonly<{
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  get(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<any>;
}>;

/** Calls the service with a token. */
export const callerOf = (url: string, token: string | null): Caller => {
  const ask: Caller['ask'] = async (method, path, body, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), bytes };
  };
  const answer = async (...words: Parameters<Caller['ask']>) => {
    const { status, bytes } = await ask(...words);
    if (status >= 300) throw new Error(`${words[0]} ${words[1]}: ${status} ${bytes}`);
    return JSON.parse(`${bytes}`);
  };
  return {
    ask,
    get: (path) => answer('GET', path),
    post: (path, body, headers) => answer('POST', path, body, headers),
  };
};

/** Waits until a probe gives something. */
export const until = async <T>(what: string, probe: () => Promise<T | null | false>): Promise<T> => {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50)) {
    const found = await probe();
    if (found !== null && found !== false) return found;
  }
  throw new Error(`waited in vain for: ${what}`);
};

const PATIENCE_MS = 240_000;

/** Where a submission's webhooks go. */
export type Addresses = Readonly<{ receiver: string; dead: string }>;

type Files = readonly Readonly<{ content: string | Uint8Array; mimeType: string }>[];

export const SLUG = 'forgotten';

/** Where its webhooks go, its batch, and members of its metadata. */
type Sent = Readonly<{ address: string; batchRef: string; metadata?: object }>;

/** Every text that a client can give at the opening of a session is one that nobody else has. */
const sessionOf = (
  plants: Plants,
  who: string,
  { address, batchRef, metadata = {} }: Sent,
  files: Files,
) => ({
  clientSubmissionId: plants.text(`${who}: clientSubmissionId`),
  metadata: {
    ...metadata,
    [plants.text(`${who}: key of metadata`)]: plants.text(`${who}: metadata`),
    nested: [{ text: `"\\ü${plants.text(`${who}: metadata within`)}` }],
  },
  batchRef,
  webhookUrl: `${address}?token=${plants.text(`${who}: query of webhookUrl`)}`,
  files: files.map(({ content, mimeType }, index) => ({
    fileName: `${plants.text(`${who}: fileName`)}-${index}.bin`,
    mimeType,
    fileSize: Buffer.byteLength(content),
  })),
});

/**
 * A receipt with a name, a number and a block of bytes that nobody else has; without a date it waits for a
 * person.
 */
const receiptOf = (plants: Plants, who: string): Files => {
  const block = noise(48);
  plants.block(`${who}: block of a file`, Buffer.from(block));
  const lines = [
    `Company: ${plants.text(`${who}: name in a file`)}`,
    `Reference: ${plants.number(`${who}: number in a file`)}`,
    'Total: 80.90',
    block,
  ];
  return [{ content: lines.join('\n'), mimeType: 'text/plain' }];
};

/** A page with a word that nobody else has, which is kept with its box. */
const pageOf = (plants: Plants, who: string): Files => {
  const marks = [{ text: `Seen ${plants.text(`${who}: word on a page`)}`, x: 20, y: 40 }];
  return [{ content: pdfOf([{ width: 300, height: 400, marks }]), mimeType: 'application/pdf' }];
};

/** A submission that was planted, and what repeats it. */
export type Subject = Readonly<{ submissionId: string; sessionId: string }>;

/** Sends files as a session's answer says, under keys that are planted. */
export const submitted = async (
  caller: Caller,
  plants: Plants,
  who: string,
  { files = receiptOf(plants, who), ...sent }: Sent & Readonly<{ files?: Files }>,
): Promise<Subject> => {
  const key = () => ({ 'idempotency-key': plants.text(`${who}: Idempotency-Key`) });
  const sessions = `/api/v1/workflows/${SLUG}/sessions`;
  const session = await caller.post(sessions, sessionOf(plants, who, sent, files), key());
  for (const [index, { content, mimeType }] of files.entries()) {
    const { status } = await sendFile(session.uploads[index], content, mimeType);
    if (status !== 200) throw new Error(`the upload of ${who} was answered ${status}`);
  }
  const { sessionId, submissionId } = session;
  await caller.post(`${sessions}/${sessionId}/submit`, undefined, key());
  await until(`the end of ${who}`, async () => {
    const { state } = await caller.get(`/api/v1/jobs/${sessionId}`);
    return state !== 'queued' && state !== 'processing';
  });
  return { submissionId, sessionId };
};

const at = ({ submissionId }: Subject, rest: string): string => `/api/v1/submissions/${submissionId}${rest}`;

/** The submissions of one person, each at another end, with what people said of them. */
export const plantSubjects = async (
  caller: Caller,
  plants: Plants,
  { receiver, dead }: Addresses,
  picture: Buffer | null,
): Promise<readonly Subject[]> => {
  const text = (name: string): string => `said "${plants.text(name)}"`;
  const batchRef = plants.text('batchRef');
  const here = { address: receiver, batchRef };
  const keyed = (who: string) => ({ 'idempotency-key': plants.text(`${who}: Idempotency-Key`) });

  const receipt = receiptOf(plants, 'approved');
  if (picture) plants.block('approved: picture', picture.subarray(picture.length >> 1).subarray(0, 32));
  const files = picture ? [...receipt, { content: picture, mimeType: 'image/jpeg' }] : receipt;
  const approved = await submitted(caller, plants, 'approved', { ...here, files });
  const corrections = { company: plants.text('approved: correction'), date: '2026-03-04' };
  const approval = { comment: text('approved: comment'), actor: text('approved: actor'), corrections };
  await caller.post(at(approved, '/approve'), approval, keyed('approved'));

  const twice = await submitted(caller, plants, 'twice', { ...here, files: receipt });
  const { data: matches } = await caller.get(at(twice, '/fraud-matches'));
  const resolution = {
    resolution: 'dismissed',
    comment: text('twice: comment'),
    resolvedBy: text('twice: resolvedBy'),
  };
  await caller.post(at(twice, `/fraud-matches/${matches[0].id}/resolve`), resolution, keyed('twice'));

  const unheard = await submitted(caller, plants, 'unheard', { address: dead, batchRef });
  const pages = [...receiptOf(plants, 'rejected'), ...pageOf(plants, 'rejected')];
  const rejected = await submitted(caller, plants, 'rejected', { ...here, files: pages });
  await caller.post(at(rejected, '/reject'), {
    reason: text('rejected: reason'),
    actor: text('rejected: actor'),
  });
  const cancelled = await submitted(caller, plants, 'cancelled', here);
  await caller.post(at(cancelled, '/cancel'), {
    reason: text('cancelled: reason'),
    actor: text('cancelled: actor'),
  });

  const broken = {
    content: `{"company": ${plants.text('failed: name in a file')}`,
    mimeType: 'application/json',
  };
  const failed = await submitted(caller, plants, 'failed', { ...here, files: [broken] });
  return [approved, twice, unheard, rejected, cancelled, failed, await unfinished(caller, plants, here)];
};

const LARGE = 104_857_601;

/** A file that is sent in parts, of which only the last has come. */
const unfinished = async (caller: Caller, plants: Plants, sent: Sent): Promise<Subject> => {
  const who = 'unfinished';
  const { files: _none, ...session } = sessionOf(plants, who, sent, []);
  const file = { fileName: plants.text(`${who}: fileName`), mimeType: 'application/pdf', fileSize: LARGE };
  const { uploads, ...opened } = await caller.post(`/api/v1/workflows/${SLUG}/sessions`, {
    ...session,
    files: [file],
  });
  const last = uploads[0].parts.at(-1);
  const content = randomBytes(last.size);
  plants.block(`${who}: block of a part`, content.subarray(content.length >> 1).subarray(0, 32));
  const { status } = await fetch(last.url, { method: 'PUT', headers: last.headers, body: content });
  if (status !== 200) throw new Error(`the part was answered ${status}`);
  return opened;
};

/** A submission of somebody else, who forgets nothing. */
export const plantControl = (caller: Caller, plants: Plants, receiver: string): Promise<Subject> =>
  submitted(caller, plants, 'control', { address: receiver, batchRef: plants.text('control: batchRef') });
