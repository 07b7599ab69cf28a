import { mediaTypeOf } from './mediaTypes.ts';

type Bytes = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file with what is to be said about it. */
export type DescribedFile = Readonly<{
  /** A path (on Node.js), the bytes, or a function that opens them anew each time they are to be sent. */
  content: string | Blob | Uint8Array | (() => Bytes | Promise<Bytes>);
  /** What the file is called at its source. */
  name?: string;
  /** Its media type; by the extension of its name unless told. */
  type?: string;
  /** In bytes; required with a function. */
  size?: number;
  /** Which of the files of the workflow it is; by the order of the files unless told. */
  label?: string;
  /** 64 lower-case hexadecimal digits; of a file of up to 16 MiB it is found out. */
  sha256?: string;
}>;

/** A file to send: a path (on Node.js), its bytes, or either with more about it. */
export type FileToSend = string | Blob | Uint8Array | DescribedFile;

/** A file as the client reads it. `open` gives its bytes from `start` to before `end`, anew each time. */
export type Source = Readonly<{
  name: string | null;
  type: string;
  size: number;
  label: string | undefined;
  sha256: string | undefined;
  open(start: number, end: number): Promise<Blob | ReadableStream<Uint8Array>>;
}>;

/** Files up to this size are read once more to find out their SHA-256. */
const HASHED_BYTES = 16 * 1_048_576;

/**
 * What is known of a file, and how it is read. Throws what the file system does, such as ENOENT for a path
 * without a file.
 */
export const sourceOf = async (file: FileToSend): Promise<Source> => {
  const described = isDescribed(file) ? file : { content: file };
  const { name, size, open, type } = await contentOf(described);
  const given = described.name ?? name;
  const source = {
    name: given,
    type: described.type || type || mediaTypeOf(given ?? ''),
    size,
    label: described.label,
    open,
  };
  return {
    ...source,
    sha256: described.sha256 ?? (size <= HASHED_BYTES ? await sha256Of(source) : undefined),
  };
};

const isDescribed = (file: FileToSend): file is DescribedFile =>
  typeof file === 'object' && !(file instanceof Blob) && !(file instanceof Uint8Array);

type Content = Pick<Source, 'name' | 'size' | 'open'> & Readonly<{ type?: string }>;

const contentOf = async ({ content, size }: DescribedFile): Promise<Content> => {
  if (typeof content === 'string') return onDisk(content);
  if (typeof content === 'function') {
    if (size === undefined) throw new TypeError('a file that is given as a function needs its `size`');
    return { name: null, size, open: async (start, end) => part(await content(), start, end) };
  }
  const blob = content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer>]);
  const name = 'name' in blob && typeof blob.name === 'string' ? blob.name : null;
  return { name, type: blob.type, size: blob.size, open: async (start, end) => blob.slice(start, end) };
};

/**
 * A file of this machine. The modules of Node.js are asked for by name, so that a browser need not have them.
 */
const onDisk = async (path: string): Promise<Content> => {
  const { stat } = process.getBuiltinModule('node:fs/promises');
  const { createReadStream } = process.getBuiltinModule('node:fs');
  const { size } = await stat(path);
  return {
    name: path.replace(/^.*[\\/]/, ''),
    size,
    open: async (start, end) => part(createReadStream(path, { start, end: end - 1 }), 0, end - start),
  };
};

/**
 * Some bytes of a stream. `Readable.toWeb` is no choice: cancelled while it reads, it throws outside of every
 * promise.
 */
const part = (bytes: Bytes, start: number, end: number): ReadableStream<Uint8Array> => {
  const iterator = between(bytes, start, end);
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await iterator.return(undefined)),
  });
};

async function* between(bytes: Bytes, start: number, end: number): AsyncGenerator<Uint8Array, void> {
  let at = 0;
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
    at += chunk.length;
    if (piece.length > 0) yield piece;
    if (at >= end) return;
  }
}

/** Undefined where there is no WebCrypto: a page that was not loaded over https. */
const sha256Of = async ({ open, size }: Pick<Source, 'open' | 'size'>): Promise<string | undefined> => {
  if (!crypto.subtle || size === 0) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', await new Response(await open(0, size)).arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
