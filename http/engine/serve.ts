import { escapePointer, type Fault } from '../../kernel/fault.ts';
import { MAX_VISIBILITY_WAIT_MS } from '../../projections/engine/progress.ts';
import { compile } from '../../schemas/ajv.ts';
import { given } from '../../schemas/given.ts';
import { poisonFaults } from '../../schemas/poison.ts';
import type { IdempotencyRecords, Reserved } from '../../stores/idempotency/port.ts';
import { type Admission, admit } from './access/admit.ts';
import { addressOf } from './access/clientAddress.ts';
import { type AwaitPosition, hold } from './hold.ts';
import type { Context } from './koa.ts';
import { invalid, malformed, unavailable } from './problems/problem.ts';
import { type Body, readBody } from './request/body.ts';
import { answerOnce, isIdempotent, type Outcome, readIdempotencyKey } from './request/idempotency.ts';
import { notFound, readParameters } from './request/parameters.ts';
import { readIfMatch } from './request/preconditions.ts';
import type { Answer, Endpoint, Route } from './route.ts';

/** What serving needs from outside. */
export type Serving = Admission &
  Readonly<{
    awaitPosition: AwaitPosition;
    idempotency: IdempotencyRecords<Outcome>;
    reserve(): Reserved;
    /** How many proxies of ours stand before the service (TRUST_PROXY). */
    proxies: number;
    /**
     * Whether no call of the API that reads, or does more than that, can be answered, since what each of them
     * needs is not there.
     */
    isClosed(isRead: boolean): boolean;
  }>;

/**
 * Serves one endpoint. The order of these lines is the order of refusal: 503 while there is no answer to be had, 401, 403, 429, 400, 413, 415, what an Idempotency-Key refuses, 404,
 * 422, then 412 and 409 from the handler (problems-2).
 */
export const serve = (route: Route, serving: Serving) => {
  const { endpoint } = route;
  const isApi = endpoint.path.startsWith('/api/');
  const personal = Object.values(endpoint.parameters ?? {}).some((parameter) => parameter.personal);
  const answerTo = answering(route, serving);
  return async (ctx: Context): Promise<void> => {
    ctx.state.endpoint = endpoint.name;
    if (personal) ctx.state.template = endpoint.path;
    // At once: each call would else wait for the same store.
    if (isApi && serving.isClosed(endpoint.method === 'GET')) throw unavailable(serving.away());
    const request = await readRequest(ctx, endpoint, serving);
    send(ctx, await answerTo(ctx, request), endpoint.media);
  };
};

type Request = Awaited<ReturnType<typeof readRequest>>;

const readRequest = async (ctx: Context, endpoint: Endpoint, serving: Serving) => {
  const { requestId, requestIdFault } = ctx.state;
  // Only failed authentication asks for it.
  const address = (): string => addressOf(ctx.req, serving.proxies);
  const caller = await admit(ctx, address, endpoint.access, serving);
  if (requestIdFault) throw malformed([requestIdFault]);
  const guard = endpoint.conditional && readIfMatch(ctx.req.headers['if-match']);
  const idempotencyKey = isIdempotent(endpoint) ? readIdempotencyKey(ctx.req) : null;
  const { unknown, ...read } = readParameters(endpoint, ctx.params, ctx.querystring);
  const body = endpoint.body ? await readBody(ctx) : null;
  return { asked: { ...read, caller, requestId, address, guard }, idempotencyKey, unknown, body };
};

/** Answers a request that has been read, once if it carries an Idempotency-Key. */
const answering = (route: Route, serving: Serving) => {
  const attempt = attempting(route);
  const { replay } = route.handling;
  const reserves = route.endpoint.method === 'POST';
  return async ({ method, path }: Context, request: Request): Promise<Answer> => {
    const { asked, body, idempotencyKey } = request;
    const { caller, requestId } = asked;
    const shown = (answer: Answer): Promise<void> => show(answer, requestId, serving);
    if (idempotencyKey === null || caller === null || !('keyId' in caller)) {
      const answer = await attempt(request, reserves ? serving.reserve() : null);
      await shown(answer);
      return answer;
    }
    return answerOnce(serving.idempotency, {
      scope: { keyId: caller.keyId, method, path, idempotencyKey },
      body: body?.text ?? '',
      attempt: (reserved) => attempt(request, reserved),
      replay: replay && ((reserved, answered) => replay({ ...asked, reserved }, answered)),
      shown,
      failed: (error) => serving.observer.failed(error, requestId),
    });
  };
};

/** What comes once the request has been read: its resource, its body's rules, its work. */
const attempting = ({ endpoint, handling }: Route) => {
  const sound = checking(endpoint.body ?? {});
  return async (request: Request, reserved: Reserved | null): Promise<Answer> => {
    const asked = { ...request.asked, reserved };
    const found = request.unknown ? null : handling.find ? await handling.find(asked) : undefined;
    if (found === null) throw notFound();
    const body =
      request.body &&
      (await sound(request.body, (beside) => handling.check?.({ ...asked, found, ...beside }) ?? []));
    return handling.run({ ...asked, found, body });
  };
};

const show = async (
  { position }: Answer,
  requestId: string,
  { awaitPosition, observer }: Serving,
): Promise<void> => {
  if (!position) return;
  // The event is stored: the caller must hear of it, though the read models can't be asked.
  await hold(position, awaitPosition, MAX_VISIBILITY_WAIT_MS).catch((error: unknown) =>
    observer.failed(error, requestId),
  );
};

type Beside = Readonly<{ body: object; unsound: ReadonlySet<string> }>;
type Check = (beside: Beside) => readonly Fault[] | Promise<readonly Fault[]>;

/**
 * Gives a body as its handler gets it. Throws 422 with every fault: those of the schema, and those that
 * `check` finds in the members that match the schema.
 */
const checking = (schema: object) => {
  const schemaFaults = compile(schema);
  return async ({ text, value }: Body, check: Check): Promise<unknown> => {
    const poison = poisonFaults(text);
    // A poisoned body is not shown to validators, which may recurse.
    if (poison.length > 0) throw invalid(poison);
    const body = given(schema, value);
    const faults = schemaFaults(body);
    const all = [...faults, ...(await check(besideFaults(body, faults)))];
    if (all.length > 0) throw invalid(all);
    return body;
  };
};

const besideFaults = (body: unknown, faults: readonly Fault[]): Beside => {
  const unsound = new Set(faults.map(({ pointer }) => pointer.split('/')[1] ?? ''));
  const members = Object.entries(Object(body)).filter(([name]) => !unsound.has(escapePointer(name)));
  return { body: Object.fromEntries(members), unsound };
};

const JSON_MEDIA = 'application/json; charset=utf-8';

const send = (ctx: Context, { status, body, headers }: Answer, media = JSON_MEDIA): void => {
  ctx.status = status;
  if (headers) ctx.set(headers);
  if (body === null || body === undefined) return;
  ctx.res.setHeader('Content-Type', media);
  ctx.body = Buffer.isBuffer(body) || media !== JSON_MEDIA ? body : JSON.stringify(body);
};
