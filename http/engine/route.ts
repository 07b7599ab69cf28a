import type { Administrator } from '../../commands/authenticate.ts';
import type { Position } from '../../kernel/event.ts';
import type { Fault } from '../../kernel/fault.ts';
import type { Of, TSchema } from '../../kernel/schema.ts';
import type { Parameter } from '../../schemas/parameters.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import type { Caller, CompanyCaller } from './access/apiKeys.ts';
import type { Code } from './problems/problemTypes.ts';
import type { Guard } from './request/preconditions.ts';

/**
 * Who may call: keys of a company, any key, an administrator's session, that of a super_admin, the operator (`http/engine/access/operator.ts`), or
 * anybody.
 */
export type Access = 'company' | 'anyKey' | 'session' | 'superAdmin' | 'operator' | 'none';

/** Headers that an endpoint may declare for its answers; `Retry-After` while there is something to wait for. */
export type AnswerHeader = 'Location' | 'Retry-After' | 'ETag';

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/**
 * An endpoint as data: what serves requests, checks them and documents them. `path` names its parameters in braces; `refusals`
 * are the problems beyond those that follow from the rest.
 */
export type Endpoint = Readonly<{
  name: string;
  summary: string;
  /** What an integrator should know beside the summary, in sentences. */
  description?: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  access: Access;
  parameters?: Parameters;
  query?: Parameters;
  body?: TSchema;
  answers: Readonly<Record<number, TSchema>>;
  /** The media type of the answers: JSON unless told. Text, and bytes in any case, are sent as they are. */
  media?: string;
  /** Whether it heeds If-Match: `asked.guard` then goes to the command. */
  conditional?: true;
  /** Headers of the answers beyond those that follow from the rest. */
  headers?: readonly AnswerHeader[];
  refusals?: readonly Code[];
}>;

type Values<P> = P extends Parameters
  ? { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never }
  : Readonly<Record<never, never>>;

type CallerOf<A> = A extends 'company'
  ? CompanyCaller
  : A extends 'anyKey'
    ? Caller
    : A extends 'session' | 'superAdmin'
      ? Administrator
      : null;

/** A request whose path and query have been read. */
type Asked<E extends Endpoint> = Readonly<{
  caller: CallerOf<E['access']>;
  parameters: Values<E['parameters']>;
  query: Values<E['query']>;
  requestId: string;
  /** Whom the request comes from, as failed authentication is counted (`http/engine/access/clientAddress.ts`). */
  address(): string;
  /** Refuses a revision that If-Match does not name; undefined where there is nothing to heed. */
  guard: Guard | undefined;
  /** What names the things that a POST makes. */
  reserved: E['method'] extends 'POST' ? Reserved : null;
}>;

/** A request that may run: its resource is there, its body is valid. */
type Accepted<E extends Endpoint, F> = Asked<E> &
  Readonly<{ found: F; body: E['body'] extends TSchema ? Of<E['body']> : null }>;

/** A request whose body has only the members that match the schema; `unsound` names the others. */
type Sound<E extends Endpoint, F> = Asked<E> &
  Readonly<{
    found: F;
    body: E['body'] extends TSchema ? Partial<Of<E['body']>> : null;
    unsound: ReadonlySet<string>;
  }>;

/** What a handler answers. With `position` the answer is held until the read models show that event. */
export type Answer<S = number, B = unknown> = Readonly<{
  status: S;
  body: B;
  headers?: Readonly<Record<string, string>>;
  position?: Position | null;
}>;

type AnswerOf<E extends Endpoint> = {
  [Status in keyof E['answers']]: Answer<
    Status,
    E['answers'][Status] extends TSchema ? Of<E['answers'][Status]> : never
  >;
}[keyof E['answers']];

/**
 * What an endpoint does. `find` loads what the path names (null: 404), before the body is looked at; `check` names faults beyond the
 * body's schema (422), also when others break it; `run` does the work and throws DomainErrors or Problems.
 */
type Handling<E extends Endpoint, F> = Readonly<{
  /**
   * Makes an answer again that holds addresses, which are signed anew and never stored; for POSTs whose answers do. `answered`: it has been
   * given; otherwise a request that may have done its work was taken over, and it gives null where nothing tells that it had.
   */
  replay?(asked: Asked<E>, answered: boolean): Promise<AnswerOf<E> | null>;
  find?(asked: Asked<E>): Promise<F | null>;
  check?(sound: Sound<E, F>): readonly Fault[] | Promise<readonly Fault[]>;
  run(accepted: Accepted<E, F>): Promise<AnswerOf<E>>;
}>;

/** An endpoint and its handling, of any types: what the application mounts. */
export type Route = Readonly<{
  endpoint: Endpoint;
  handling: Readonly<{
    replay?(asked: object, answered: boolean): Promise<Answer | null>;
    find?(asked: object): Promise<unknown>;
    check?(sound: object): readonly Fault[] | Promise<readonly Fault[]>;
    run(accepted: object): Promise<Answer>;
  }>;
}>;

/** Binds an endpoint to its handling, whose types follow from the endpoint's schemas: `route(endpoint)(handling)`. */
export const route =
  <const E extends Endpoint>(endpoint: E) =>
  <F = undefined>(
    handling: Handling<E, F>,
  ): Route => // The types end here: the application gives each handling what its endpoint's own schemas have accepted.
  ({ endpoint, handling: handling as unknown as Route['handling'] });
