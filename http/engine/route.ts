import type { PermissionName } from '../../domain/permissions.ts';
import type { Position } from '../../kernel/event.ts';
import type { Fault } from '../../kernel/fault.ts';
import type { Of, TSchema } from '../../kernel/schema.ts';
import type { Traced } from '../../kernel/trace.ts';
import type { Parameter } from '../../schemas/parameters.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import type { CallerWith } from './access/caller.ts';
import type { ProblemCode } from './problems/problemTypes.ts';
import type { Client } from './request/client.ts';
import type { Guard } from './request/preconditions.ts';

/**
 * Who may call: those who have a permission, the operator, anybody by a page of the service or a program, or
 * anybody.
 */
export type Access = PermissionName | 'operator' | 'page' | 'none';

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/**
 * An endpoint as data: it is served, checked and documented from this. `path` has its parameters in braces;
 * `refusals` are the problems beyond those that follow from the other members.
 */
export type Endpoint = Readonly<{
  name: string;
  summary: string;
  /** More for integrators, in sentences. */
  description?: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  access: Access;
  parameters?: Parameters;
  query?: Parameters;
  body?: TSchema;
  /** How many bytes a body may have, where that is not the usual 256 KiB. */
  maxBody?: number;
  answers: Readonly<Record<number, TSchema>>;
  /**
   * JSON by default. Text of another media type, and bytes, are sent as they are. Of several, an answer says
   * which.
   */
  media?: string | readonly string[];
  /** Whether it accepts If-Match: `request.guard` then goes to the command. */
  conditional?: true;
  /** Headers of the answers beyond those that follow from the other members. */
  headers?: readonly (
    | 'Location'
    | 'Retry-After'
    | 'ETag'
    | 'Set-Cookie'
    | 'Clear-Site-Data'
    | 'Content-Disposition'
  )[];
  refusals?: readonly ProblemCode[];
}>;

/** What is read of these parameters. */
export type Values<P> = P extends Parameters
  ? { readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never }
  : Readonly<Record<never, never>>;

type CallerOf<A> = A extends PermissionName ? CallerWith<A> : null;

type Request<E extends Endpoint> = Readonly<{
  caller: CallerOf<E['access']>;
  parameters: Values<E['parameters']>;
  query: Values<E['query']>;
  requestId: string;
  /** Where what it causes stands in a trace. */
  trace: Traced;
  /** The client's address, under which failed authentication is counted. */
  address(): string;
  /** What the client says that it is, at most 256 characters; empty where it says nothing. */
  userAgent: string;
  /** Whether only the headers are asked for (HEAD): what the answer has is not made. */
  headOnly: boolean;
  /** For an answer that waits until there is something new. */
  client(): Client;
  /** The value of a cookie; null where the client sent none of this name. */
  cookie(name: string): string | null;
  /** Refuses a revision that If-Match does not name; undefined without such a condition. */
  guard: Guard | undefined;
  /** Identifiers for what a change creates. */
  reserved: E['method'] extends 'GET' ? null : Reserved;
}>;

/** A request whose resource was found and whose body is valid. */
type Accepted<E extends Endpoint, F> = Request<E> &
  Readonly<{ found: F; body: E['body'] extends TSchema ? Of<E['body']> : null }>;

/** A request whose body has only valid members; `invalidMembers` are the names of the others. */
type Validated<E extends Endpoint, F> = Request<E> &
  Readonly<{
    found: F;
    body: E['body'] extends TSchema ? Partial<Of<E['body']>> : null;
    invalidMembers: ReadonlySet<string>;
  }>;

/** Headers by name, one that is sent several times with its values. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/**
 * A handler's answer; a body in bytes, or a stream of them, is sent as it is. It waits until the read models
 * include the event at `position` (reads-1).
 */
export type Answer<S = number, B = unknown> = Readonly<{
  status: S;
  body: B;
  headers?: Headers;
  position?: Position | null;
  /** Of the endpoint's media types, where it has several. */
  media?: string;
}>;

type AnswerOf<E extends Endpoint> = {
  [Status in keyof E['answers']]: Answer<
    Status,
    E['answers'][Status] extends TSchema ? Of<E['answers'][Status]> | Buffer : never
  >;
}[keyof E['answers']];

/**
 * What an endpoint does. `find` loads the resource of the path (null: 404) before the body is validated;
 * `check` gives faults beyond the body's schema (422), also of a partly invalid body; `run` does the work and
 * throws DomainErrors or Problems.
 */
type Handling<E extends Endpoint, F> = Readonly<{
  /**
   * For POSTs whose answers have signed addresses, which are never stored: makes an answer again. `answered`:
   * it was given before; otherwise the earlier request may have stopped half-way: null if it did no work.
   */
  replay?(request: Request<E>, answered: boolean): Promise<AnswerOf<E> | null>;
  find?(request: Request<E>): Promise<F | null>;
  check?(request: Validated<E, F>): readonly Fault[] | Promise<readonly Fault[]>;
  run(request: Accepted<E, F>): Promise<AnswerOf<E>>;
}>;

/** An endpoint and its handling, of any types. */
export type Route = Readonly<{
  endpoint: Endpoint;
  handling: Readonly<{
    replay?(request: object, answered: boolean): Promise<Answer | null>;
    find?(request: object): Promise<unknown>;
    check?(request: object): readonly Fault[] | Promise<readonly Fault[]>;
    run(request: object): Promise<Answer>;
  }>;
}>;

/** Binds an endpoint to its handling, whose types follow from the endpoint: `route(endpoint)(handling)`. */
export const route =
  <const E extends Endpoint>(endpoint: E) =>
  <F = undefined>(
    handling: Handling<E, F>,
  ): Route => // The types end here: each handling gets what its endpoint's own schemas have accepted.
  ({ endpoint, handling: handling as unknown as Route['handling'] });
