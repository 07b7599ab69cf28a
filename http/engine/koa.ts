import Koa, { type DefaultContext, type ParameterizedContext } from 'koa';
import type { Fault } from '../../kernel/fault.ts';

export { Koa };

/** What the chain learns of a request on its way. */
export type State = {
  requestId: string;
  requestIdFault: Fault | null;
  endpoint: string | null;
  /** What is logged in the place of the path where that holds something personal. */
  template: string | null;
  keyId: string | null;
  userId: string | null;
};

/** A request and its answer, with what is known of it. */
export type Context = ParameterizedContext<State, DefaultContext, unknown>;
