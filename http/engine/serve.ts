import type { Position } from '../../kernel/event.ts';
import { waitFor } from '../../kernel/timeLimit.ts';
import { MAX_VISIBILITY_WAIT_MS } from '../../projections/engine/progress.ts';
import type { IdempotencyRecords, Reserved } from '../../stores/idempotency/port.ts';
import { type Admission, admit } from './access/admit.ts';
import { clientAddress } from './access/clientAddress.ts';
import type { Context } from './koa.ts';
import { malformed, Problem, unavailable } from './problems/problem.ts';
import { readBody } from './request/body.ts';
import { answerOnce, isIdempotent, type Outcome, readIdempotencyKey } from './request/idempotency.ts';
import { readParameters } from './request/parameters.ts';
import { isUnmodified, readIfMatch } from './request/preconditions.ts';
import { bodyValidator } from './request/validateBody.ts';
import type { Answer, Endpoint, Route } from './route.ts';

export type Serving = Admission &
  Readonly<{
    /** Resolves once the read models include everything up to `position`. */
    awaitPosition(position: Position): Promise<unknown>;
    idempotency: IdempotencyRecords<Outcome>;
    reserve(): Reserved;
    /** How many reverse proxies of the operator are in front of the service (TRUST_PROXY). */
    proxies: number;
    /** Whether the stores that calls need which read, or which write, are unavailable. */
    isClosed(isRead: boolean): boolean;
  }>;

/**
 * Serves one endpoint. The order of these lines is the order of refusal: 503 while the stores are
 * unavailable, 401, 403, 429, 400, 413, 415, what an Idempotency-Key refuses, 404, 422, then 412 and 409 from
 * the handler (problems-2).
 */
export const serve = (route: Route, serving: Serving) => {
  const { endpoint } = route;
  const isApi = endpoint.path.startsWith('/api/');
  const isPersonal = Object.values(endpoint.parameters ?? {}).some(({ personal }) => personal);
  const answerTo = answering(route, serving);
  return async (ctx: Context): Promise<void> => {
    ctx.state.endpoint = endpoint.name;
    if (isPersonal) ctx.state.template = endpoint.path;
    // Refused at once: otherwise each call would wait for the same store.
    if (isApi && serving.isClosed(endpoint.method === 'GET')) throw unavailable(serving.unavailableParts());
    const request = await readRequest(ctx, endpoint, serving);
    send(ctx, await answerTo(ctx, request), endpoint.media);
  };
};

type Request = Awaited<ReturnType<typeof readRequest>>;

const readRequest = async (ctx: Context, endpoint: Endpoint, serving: Serving) => {
  const { requestId, requestIdFault } = ctx.state;
  // Computed for failed authentication only.
  const address = (): string => clientAddress(ctx.req, serving.proxies);
  const caller = await admit(ctx, address, endpoint.access, serving);
  if (requestIdFault) throw malformed([requestIdFault]);
  const guard = endpoint.conditional && readIfMatch(ctx.req.headers['if-match']);
  const idempotencyKey = isIdempotent(endpoint) ? readIdempotencyKey(ctx.req) : null;
  const { isUnknown, ...read } = readParameters(endpoint, ctx.params, ctx.querystring);
  const body = endpoint.body ? await readBody(ctx) : null;
  return { request: { ...read, caller, requestId, address, guard }, idempotencyKey, isUnknown, body };
};

/** Answers a request that has been read, once if it has an Idempotency-Key. */
const answering = (route: Route, serving: Serving) => {
  const attempt = attempting(route);
  const { replay } = route.handling;
  const reserves = route.endpoint.method === 'POST';
  return async ({ method, path }: Context, read: Request): Promise<Answer> => {
    const { request, body, idempotencyKey } = read;
    const { caller, requestId } = request;
    const failed = (error: unknown): void => serving.observer.failed(error, requestId);
    const visible = (answer: Answer): Promise<void> => awaitVisible(answer, serving, failed);
    if (idempotencyKey === null || caller === null || !('keyId' in caller)) {
      const answer = await attempt(read, reserves ? serving.reserve() : null);
      await visible(answer);
      return answer;
    }
    return answerOnce(serving.idempotency, {
      scope: { keyId: caller.keyId, method, path, idempotencyKey },
      body: body?.text ?? '',
      attempt: (reserved) => attempt(read, reserved),
      replay: replay && ((reserved, answered) => replay({ ...request, reserved }, answered)),
      visible,
      failed,
    });
  };
};

const attempting = ({ endpoint, handling }: Route) => {
  const validated = bodyValidator(endpoint.body ?? {});
  return async (read: Request, reserved: Reserved | null): Promise<Answer> => {
    const request = { ...read.request, reserved };
    const found = read.isUnknown ? null : handling.find ? await handling.find(request) : undefined;
    if (found === null) throw new Problem('not-found');
    const body =
      read.body &&
      (await validated(
        read.body,
        (partition) => handling.check?.({ ...request, found, ...partition }) ?? [],
      ));
    return handling.run({ ...request, found, body });
  };
};

/** Waits until the read models include the events of an answer, two seconds at most (reads-1). */
const awaitVisible = async (
  { position }: Answer,
  { awaitPosition }: Serving,
  failed: (error: unknown) => void,
): Promise<void> => {
  if (!position) return;
  // The event is stored: the answer is given even if the read models can't be queried.
  await waitFor(awaitPosition(position), MAX_VISIBILITY_WAIT_MS).catch(failed);
};

const JSON_MEDIA = 'application/json; charset=utf-8';

const send = (ctx: Context, { status, body, headers }: Answer, media = JSON_MEDIA): void => {
  ctx.status = status;
  if (headers) ctx.set(headers);
  if (isUnmodified(ctx, headers?.ETag)) {
    ctx.status = 304;
    return;
  }
  if (body === null || body === undefined) return;
  ctx.res.setHeader('Content-Type', media);
  ctx.body = Buffer.isBuffer(body) || media !== JSON_MEDIA ? body : JSON.stringify(body);
};
