import type { SpanNames } from '../../kernel/trace.ts';

/** An answered request. A member is null where the request did not come that far. */
export type RequestLine = Readonly<{
  requestId: string;
  method: string | null;
  path: string | null;
  endpoint: string | null;
  keyId: string | null;
  userId: string | null;
  status: number;
  durationMs: number | null;
  /** The other protocol that the client used, in words. */
  stray?: string;
}> &
  Partial<SpanNames>;

/**
 * Logs and counts what happens at the HTTP server: `answered` each request, `failed` each error that is not a
 * refusal (a 500, an unavailable store, a broken connection). Neither may throw.
 */
export type Observer = Readonly<{
  answered(line: RequestLine): void;
  failed(error: unknown, requestId: string | null): void;
}>;
