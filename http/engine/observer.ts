/** What is known of a request once it has been answered. A member is null where it did not come that far; a caller has a key or is a user. */
export type RequestLine = Readonly<{
  requestId: string;
  method: string | null;
  path: string | null;
  endpoint: string | null;
  keyId: string | null;
  userId: string | null;
  status: number;
  durationMs: number | null;
  /** What came that is no HTTP, in words. */
  stray?: string;
}>;

/**
 * Sees what the HTTP edge does: `answered` once a request, `failed` for each error that is no answer of ours (a 500, a store that is
 * away, a hold or a connection that broke). Neither may throw.
 */
export type Observer = Readonly<{
  answered(line: RequestLine): void;
  failed(error: unknown, requestId: string | null): void;
}>;
