import { uploadMethods } from '../domain/slots.ts';
import {
  closed,
  example,
  id,
  MediaType,
  meaning,
  nullable,
  oneOf,
  optional,
  Time,
  Type,
  times,
} from '../kernel/schema.ts';

export const UploadMethod = oneOf(uploadMethods);

const SHA256 = '^[0-9a-f]{64}$';

export const DeclaredFile = closed({
  label: optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "one of the version's labels, each used at most once",
      examples: ['front'],
    }),
  ),
  fileName: optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'the name of the file at its source',
      examples: ['receipt.jpg'],
    }),
  ),
  mimeType: MediaType,
  fileSize: Type.Integer({ minimum: 1, description: 'in bytes', examples: [482_133] }),
  sha256: optional(
    Type.String({
      pattern: SHA256,
      description:
        '64 lower-case hexadecimal digits; signed into the address, like type and size. Of a file that is sent in parts it is checked at submit',
    }),
  ),
  partSha256: optional(
    Type.Array(Type.String({ pattern: SHA256 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'the SHA-256 of each part, in order, for a file over 104857600 bytes; signed into the addresses of the parts',
    }),
  ),
});

/** Until when files of a session are received. */
export const Expiry = example(Time, times.expires);
const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;
const STORED = 'https://storage.example.com/intake/uploads/01hv6x3m8q2r5t7w9y0a1b2c3d/0';

/** How to upload one part of a file. */
export const UploadPart = Type.Object({
  partNumber: Type.Integer({ minimum: 1 }),
  size: Type.Integer({
    minimum: 1,
    description: 'in bytes: exactly so many, from where the part before it ends',
    examples: [16_777_216],
  }),
  url: Type.String({
    format: 'uri',
    examples: [`${STORED}?partNumber=1&uploadId=2353e4fc&X-Amz-Signature=5d41`],
  }),
  headers: Type.Unsafe<Record<string, string>>({ ...TEXTS, description: 'send exactly these' }),
  uploaded: Type.Boolean({
    description: 'whether the store has it; it may be sent again',
    examples: [false],
  }),
});

/** How to upload a file. */
export const UploadSlot = Type.Object({
  fileId: id('fil'),
  fileIndex: Type.Integer({ minimum: 0, description: 'its position, from 0' }),
  label: example(Type.String(), 'front'),
  method: meaning(
    UploadMethod,
    'PUT: send the file’s bytes; POST: send a form (multipart/form-data) of `fields` and then, last, the file as the field `file`. POST is used where the session asks for it, and where files are stored in an S3 bucket for a file that was not declared in `files`',
    'PUT',
  ),
  url: meaning(
    nullable(Type.String({ format: 'uri' })),
    'null for a file that is sent in parts',
    `${STORED}?X-Amz-Expires=86400&X-Amz-Signature=5d41`,
  ),
  headers: Type.Unsafe<Record<string, string>>({
    ...TEXTS,
    description: 'send exactly these',
    examples: [
      {
        'Content-Type': 'image/jpeg',
        'x-amz-checksum-sha256': '3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
      },
    ],
  }),
  fields: nullable(
    Type.Unsafe<Record<string, string>>({
      ...TEXTS,
      description:
        'the fields of the form: send exactly these, with the file’s media type as `Content-Type`; null for a PUT',
    }),
  ),
  parts: meaning(
    nullable(Type.Array(UploadPart)),
    'the parts of a file over 104857600 bytes, each a PUT of its own, in any order; null for a file that is sent as a whole',
  ),
  expiresAt: Expiry,
});
