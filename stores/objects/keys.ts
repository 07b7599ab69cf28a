/** The key under which an upload of a session lies until it is submitted. */
export const uploadKey = (submissionId: string, fileId: string): string =>
  `uploads/${submissionId.slice(4)}/${fileId}`;

/** The key of the copy that processing, downloads and exports read; nobody has a URL that writes it (decisions, section 3). */
export const evidenceKey = (submissionId: string, fileId: string): string =>
  `evidence/${submissionId.slice(4)}/${fileId}`;
