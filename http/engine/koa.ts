import Koa, { type DefaultContext, type ParameterizedContext } from 'koa';
import type { Fault } from '../../kernel/fault.ts';

export { Koa };

export type State = {
  requestId: string;
  requestIdFault: Fault | null;
  endpoint: string | null;
  /** Logged instead of a path with personal data. */
  template: string | null;
  keyId: string | null;
  userId: string | null;
};

export type Context = ParameterizedContext<State, DefaultContext, unknown>;
