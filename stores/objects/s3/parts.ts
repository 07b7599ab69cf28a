import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { StoredPart, UnfinishedUpload, UploadsInParts } from '../port.ts';
import { headersToSend, uploadHeaders } from '../uploads.ts';
import { isAbsent, orNull, statusOf } from './failure.ts';
import type { s3Presigner } from './presign.ts';

/** `patient` waits for a store that makes an object of gigabytes; `call` translates what is thrown. */
type Ports = Readonly<{
  bucket: string;
  client: S3Client;
  patient: S3Client;
  presigner: ReturnType<typeof s3Presigner>;
  encryption: Readonly<{ ServerSideEncryption?: 'AES256' | 'aws:kms' }>;
  call<T>(result: Promise<T>): Promise<T>;
}>;

/** Multipart uploads of a bucket. */
export const s3Parts = ({ bucket, client, patient, presigner, encryption, call }: Ports): UploadsInParts => {
  const at = ({ key, uploadId }: UnfinishedUpload) => ({ Bucket: bucket, Key: key, UploadId: uploadId });
  const drop: UploadsInParts['drop'] = async (upload) => {
    await call(orNull(client.send(new AbortMultipartUploadCommand(at(upload))), isAbsent));
  };
  return {
    begin: async (key, mimeType, isChecked) => {
      const checked = isChecked && ({ ChecksumAlgorithm: 'SHA256' } as const);
      const begin = { Bucket: bucket, Key: key, ContentType: mimeType, ...encryption, ...checked };
      const { UploadId } = await call(client.send(new CreateMultipartUploadCommand(begin)));
      if (UploadId === undefined) throw new Error('the object store gave no identifier of an upload');
      return UploadId;
    },
    sign: async ({ key, uploadId, partNumber, expiresInSeconds, ...bound }) => {
      const headers = uploadHeaders({ key, expiresInSeconds, ...bound });
      const query = [
        ['partNumber', String(partNumber)],
        ['uploadId', uploadId],
        ['x-id', 'UploadPart'],
      ] as const;
      const url = await call(presigner.url({ method: 'PUT', key, expiresInSeconds, query, headers }));
      return { method: 'PUT', url, headers: headersToSend(headers) };
    },
    parts: async (upload) => {
      const found: StoredPart[] = [];
      for (let marker: string | undefined, page: ListPartsCommandOutput | null; ; ) {
        const list = new ListPartsCommand({ ...at(upload), PartNumberMarker: marker });
        page = await call(orNull(client.send(list), isAbsent));
        if (page === null) return null;
        found.push(...partsOf(page));
        if (!page.IsTruncated) return found;
        marker = page.NextPartNumberMarker;
      }
    },
    join: async (upload, parts) => {
      const Parts = parts.map(({ partNumber: PartNumber, etag: ETag, sha256: ChecksumSHA256 }) => ({
        ...{ PartNumber, ETag, ChecksumSHA256 },
      }));
      const join = new CompleteMultipartUploadCommand({ ...at(upload), MultipartUpload: { Parts } });
      return (await call(orNull(patient.send(join), isGoneOrChanged))) !== null;
    },
    drop,
    unfinished: async (prefix, after, limit) => {
      const list = { Bucket: bucket, Prefix: prefix, MaxUploads: limit };
      const from = after === '' ? {} : { KeyMarker: after };
      const { Uploads = [] } = await call(client.send(new ListMultipartUploadsCommand({ ...list, ...from })));
      const begun = Uploads.toSorted(
        (one, other) => compare(one.Key, other.Key) || compare(one.Initiated, other.Initiated),
      );
      return begun.flatMap(({ Key: key, UploadId: uploadId }) => (key && uploadId ? { key, uploadId } : []));
    },
  };
};

const partsOf = ({ Parts = [] }: ListPartsCommandOutput): readonly StoredPart[] =>
  Parts.flatMap(({ PartNumber: partNumber, Size: size, ETag: etag, ChecksumSHA256: sha256 }) =>
    partNumber === undefined || size === undefined || etag === undefined
      ? []
      : { partNumber, size, etag, ...(sha256 !== undefined && { sha256 }) },
  );

/** 400 is InvalidPart: a part was replaced after it was listed. */
const isGoneOrChanged = (error: unknown): boolean => isAbsent(error) || statusOf(error) === 400;

const compare = (one: string | Date | undefined, other: string | Date | undefined): number =>
  (one ?? '') < (other ?? '') ? -1 : (one ?? '') > (other ?? '') ? 1 : 0;
