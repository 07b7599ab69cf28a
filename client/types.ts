import type { paths } from './api.ts';
import type { Limits } from './retry.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that have an operation of a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: object } ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends keyof paths> = paths[P][M];

/** The query of an operation; never when it has none. */
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;
type PathParametersOf<O> = O extends { parameters: { path: infer V } } ? V : never;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { body?: B }
    : { body?: never };

type Success = 200 | 201 | 202 | 203 | 204;
type ContentOf<R> = R extends { content: { 'application/json': infer B } }
  ? B
  : R extends { content: Record<string, unknown> }
    ? Blob
    : undefined;
type AnswersOf<O> = O extends { responses: infer R }
  ? { [S in keyof R & Success]: ContentOf<R[S]> }[keyof R & Success]
  : never;

/** The body of a 2xx: JSON as its type, another one as a Blob, undefined for none. */
export type BodyOfAnswer<M extends Method, P extends PathOf<M>> = AnswersOf<Operation<M, P>>;

/** What any request may have; its limits are otherwise those of the client. */
export type CommonOptions = Partial<Limits> &
  Readonly<{
    /** Aborts the request, its retries included: the call throws the reason of the signal. */
    signal?: AbortSignal | undefined;
    headers?: Readonly<Record<string, string>>;
  }>;

export type Conditions = Readonly<{
  /** The `etag` of what was read: the change is done only if that is still current. */
  ifMatch?: string | null;
  /**
   * Names a POST, so that it is done once however often it is sent; one is made for each call unless given.
   */
  idempotencyKey?: string;
}>;

/**
 * Those of one operation: `path` is required where the path has parameters, `body` where the document says
 * so.
 */
export type Options<M extends Method, P extends PathOf<M>> = CommonOptions &
  Conditions &
  Readonly<{ query?: QueryOf<Operation<M, P>>; ifNoneMatch?: never }> &
  Readonly<BodyOf<Operation<M, P>>> &
  ([PathParametersOf<Operation<M, P>>] extends [never]
    ? { path?: never }
    : { path: Readonly<PathParametersOf<Operation<M, P>>> });

/**
 * Those of a GET by someone who knows an answer: its `etag`. While that is current, the next one has status
 * 304 and no body.
 */
export type Revalidation<P extends PathOf<'get'>> = Omit<Options<'get', P>, 'ifNoneMatch'> &
  Readonly<{ ifNoneMatch: string | null }>;

/** The options may be left out where none is required. */
export type Given<M extends Method, P extends PathOf<M>> =
  Record<string, never> extends Options<M, P> ? [options?: Options<M, P>] : [options: Options<M, P>];

/** The paths of lists: their answers are pages. */
export type ListPath = {
  [P in PathOf<'get'>]: BodyOfAnswer<'get', P> extends Page<unknown> ? P : never;
}[PathOf<'get'>];
export type Page<Row> = Readonly<{
  data: readonly Row[];
  pagination: Readonly<{ hasMore: boolean; nextCursor: string | null }>;
}>;

/** What a list is made of. */
export type RowOf<P extends ListPath> = BodyOfAnswer<'get', P> extends Page<infer Row> ? Row : never;
