import type { Position } from '../../kernel/event.ts';
import { waitFor } from '../../kernel/timeLimit.ts';
import { type Traced, traceOf } from '../../kernel/trace.ts';
import { MAX_VISIBILITY_WAIT_MS } from '../../projections/engine/progress.ts';
import type { IdempotencyRecords, Reserved } from '../../stores/idempotency/port.ts';
import { type Admission, admit } from './access/admit.ts';
import { callerIdOf } from './access/caller.ts';
import { clientAddress } from './access/clientAddress.ts';
import { cookieOf } from './access/cookies.ts';
import type { Context } from './koa.ts';
import { malformed, Problem, unavailable } from './problems/problem.ts';
import { type Body, readBody } from './request/body.ts';
import { clientOf } from './request/client.ts';
import {
  answerOnce,
  isIdempotent,
  type Outcome,
  readIdempotencyKey,
  submissionNamedBy,
} from './request/idempotency.ts';
import { parameterReader } from './request/parameters.ts';
import { readIfMatch } from './request/preconditions.ts';
import { bodyValidator } from './request/validateBody.ts';
import type { Answer, Route } from './route.ts';
import type { Serve } from './routing.ts';

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
export const serve = (route: Route, serving: Serving): Serve => {
  const { endpoint } = route;
  const isApi = endpoint.path.startsWith('/api/');
  const isPersonal = Object.values(endpoint.parameters ?? {}).some(({ personal }) => personal);
  const read = parameterReader(endpoint);
  const answerTo = answering(route, serving);
  return async (ctx, inPath) => {
    const { state, req } = ctx;
    state.endpoint = endpoint.name;
    state.route = endpoint.path;
    if (isPersonal) state.template = endpoint.path;
    // Refused at once: otherwise each call would wait for the same store.
    if (isApi && serving.isClosed(endpoint.method === 'GET')) throw unavailable(serving.unavailableParts());
    // Computed for failed authentication only.
    const address = (): string => clientAddress(req, serving.proxies);
    const { length } = state.headers;
    const admitted = () => {
      // Once more begins without the limits that the first admission told.
      state.headers.length = length;
      return admit(ctx, address, endpoint.access, serving);
    };
    const caller = await admitted();
    const { requestId, requestIdFault } = state;
    if (requestIdFault) throw malformed([requestIdFault]);
    const guard = endpoint.conditional && readIfMatch(req.headers['if-match']);
    const idempotencyKey = isIdempotent(endpoint) ? readIdempotencyKey(req) : null;
    const { parameters, query, isUnknown } = read(inPath, ctx.querystring);
    const body = endpoint.body ? await readBody(ctx, endpoint.maxBody) : null;
    const userAgent = (req.headers['user-agent'] ?? '').slice(0, 256);
    const client = () => clientOf(ctx, admitted);
    const cookie = (name: string): string | null => cookieOf(req.headers, name);
    const trace = endpoint.method === 'GET' ? UNTRACED : (state.span?.trace ?? traceOf(req.headers));
    const known = { caller, parameters, query, requestId, trace, guard, isUnknown, body };
    const headOnly = ctx.method === 'HEAD';
    const request = { ...known, address, userAgent, cookie, client, headOnly };
    return answerTo(request, ctx, idempotencyKey);
  };
};

/** Of what changes nothing. */
const UNTRACED: Traced = {};

/** What is known of a request before its resource is found, beside what only its handling needs. */
type Request = Readonly<{
  caller: Awaited<ReturnType<typeof admit>>;
  parameters: object;
  requestId: string;
  trace: Traced;
  isUnknown: boolean;
  body: Body | null;
}>;

/** Answers a request that has been read, once if it has an Idempotency-Key. */
const answering = (route: Route, serving: Serving) => {
  const attempt = attempting(route);
  const { replay } = route.handling;
  const reserves = route.endpoint.method !== 'GET';
  return async (request: Request, ctx: Context, idempotencyKey: string | null): Promise<Answer> => {
    const { caller, parameters, requestId, body } = request;
    const failed = (error: unknown): void => serving.observer.failed(error, requestId);
    if (idempotencyKey === null || caller === null) {
      const answer = await attempt(request, reserves ? serving.reserve() : null);
      if (answer.position) await awaitVisible(answer, serving, failed);
      return answer;
    }
    const { method, state } = ctx;
    return answerOnce(serving.idempotency, {
      scope: { callerId: callerIdOf(caller), method, path: state.path, idempotencyKey },
      body: body?.text ?? '',
      attempt: (reserved) => attempt(request, reserved),
      replay: replay && ((reserved, answered) => replay({ ...request, reserved }, answered)),
      subject: (answer) => submissionNamedBy(parameters) ?? submissionNamedBy(Object(answer?.body)),
      visible: (answer) => awaitVisible(answer, serving, failed),
      failed,
    });
  };
};

const attempting = ({ endpoint, handling }: Route) => {
  const validated = endpoint.body && bodyValidator(endpoint.body);
  return async (read: Request, reserved: Reserved | null): Promise<Answer> => {
    const request = { ...read, reserved };
    const found = read.isUnknown ? null : handling.find ? await handling.find(request) : undefined;
    if (found === null) throw new Problem('not-found');
    if (!read.body || !validated) return handling.run({ ...request, found });
    const body = await validated(
      read.body,
      (partition) => handling.check?.({ ...request, found, ...partition }) ?? [],
    );
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
