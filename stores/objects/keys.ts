/** The prefix of the keys of all uploads. */
export const UPLOADS = 'uploads/';

/** The key under which an upload of a session lies until it is submitted. */
export const uploadKey = (submissionId: string, fileId: string): string =>
  `${uploadsOf(submissionId)}${fileId}`;

/** How the keys of all uploads of a submission start. */
export const uploadsOf = (submissionId: string): string => `${UPLOADS}${submissionId.slice(4)}/`;

/** How the keys of all copies of a submission's files start. */
export const evidenceOf = (submissionId: string): string => `evidence/${submissionId.slice(4)}/`;

/** The submission that an upload's key belongs to, null for any other key. */
export const submissionOfUpload = (key: string): string | null => {
  const ulid = /^uploads\/([0-9a-z]{26})\//.exec(key)?.[1];
  return ulid === undefined ? null : `sub_${ulid}`;
};

/**
 * The key of the copy that processing, downloads and exports read; nobody has a URL that writes it
 * (uploads-14). It ends in what the upload's ETag was: of two submits at once, with a PUT between them,
 * neither copies over what the other submitted.
 */
export const evidenceKey = (
  submissionId: string,
  { fileId, etag }: Readonly<{ fileId: string; etag: string }>,
): string => `${evidenceOf(submissionId)}${fileId}/${etag.replaceAll(/[^0-9A-Za-z-]/g, '')}`;

/** The key of the words that were read on the pages of a file. No ETag in a key of evidence has a dot. */
export const wordsKey = (submissionId: string, fileId: string): string =>
  `${evidenceOf(submissionId)}${fileId}/words.sealed`;
