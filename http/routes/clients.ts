import type { Client } from '../../commands/authenticate.ts';
import { SESSION_COOKIE } from '../engine/access/cookies.ts';
import { agentOf } from './agents.ts';

type LogInRequest = Readonly<{
  address(): string;
  userAgent: string;
  cookie(name: string): string | null;
}>;

/** Who asks for a session, and which one of this browser it replaces. */
export const clientOf = (kind: Client['kind'], { address, userAgent, cookie }: LogInRequest): Client => ({
  kind,
  address: address(),
  agent: agentOf(userAgent),
  former: cookie(SESSION_COOKIE),
});
