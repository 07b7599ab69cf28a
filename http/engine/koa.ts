import Koa, { type DefaultContext, type ParameterizedContext } from 'koa';
import type { Fault } from '../../kernel/fault.ts';
import type { Span } from '../../kernel/trace.ts';

export { Koa };

export type State = {
  requestId: string;
  requestIdFault: Fault | null;
  path: string;
  endpoint: string | null;
  /** The path of the endpoint, with its parameters in braces. */
  route: string | null;
  /** Logged instead of a path with personal data. */
  template: string | null;
  keyId: string | null;
  userId: string | null;
  /** Where a trace is recorded. */
  span: Span | null;
  /** Headers of the answer, names and values in turn, so that they are checked and written once. */
  readonly headers: (string | string[])[];
};

export type Context = ParameterizedContext<State, DefaultContext, unknown>;
