import type { Answer } from './answer.ts';
import type { Call, Send } from './request.ts';
import type { BodyOfAnswer, Given, ListPath, Method, Page, PathOf, Revalidation, RowOf } from './types.ts';

type Verb<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: Given<M, P>
) => Promise<BodyOfAnswer<M, P>>;

/** A request whose answer is wanted with its headers; `etag` is what `ifMatch` and `ifNoneMatch` take. */
type Request = {
  <P extends PathOf<'get'>>(
    method: 'get',
    path: P,
    options: Revalidation<P>,
  ): Promise<Answer<BodyOfAnswer<'get', P> | undefined>>;
  <M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...options: Given<M, P>
  ): Promise<Answer<BodyOfAnswer<M, P>>>;
};

/** The operations of the API, each by its path: a method of this name gives the body of its answer. */
export type Calls = Readonly<{ [M in Method]: Verb<M> }> &
  Readonly<{
    request: Request;
    /** The items of a list over all its pages. */
    list<P extends ListPath>(path: P, ...options: Given<'get', P>): AsyncGenerator<RowOf<P>, void>;
  }>;

/** Calls that are typed by their paths, over what sends them: which operation it is it does not look at. */
export const callsOf = (send: Send): Calls => {
  const untyped = (options: object = {}): Call => options;
  const verb =
    <M extends Method>(method: M): Verb<M> =>
    async (path, ...[call]) =>
      (await send<BodyOfAnswer<M, typeof path>>(method, path, untyped(call))).body;
  return {
    get: verb('get'),
    post: verb('post'),
    put: verb('put'),
    delete: verb('delete'),
    request: send as Request,
    list: (path, ...[call]) => pages(send, path, untyped(call)),
  };
};

/**
 * The items of a list, page after page; each page is asked for once the last item of the one before has been
 * taken.
 */
async function* pages<Row>(send: Send, path: string, call: Call = {}): AsyncGenerator<Row, void> {
  let query = call.query ?? {};
  for (;;) {
    const { body } = await send<Page<Row>>('get', path, { ...call, query });
    yield* body.data;
    const { hasMore, nextCursor } = body.pagination;
    // The event feed has a cursor at its end too: for what is stored later.
    if (!hasMore) return;
    // Where the feed starts is said once: a cursor beside it is refused.
    const { from: _, ...filters } = query;
    query = { ...filters, cursor: nextCursor };
  }
}
