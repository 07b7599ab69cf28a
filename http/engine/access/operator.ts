import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../problems/problem.ts';
import { bearerOf } from './apiKeys.ts';

/**
 * Whether a request for the operator's eyes may pass. With a token it is the one that the request bears. Without one the request comes from this
 * machine, judged by the socket alone. Throws 403 `local-only` for those that come from elsewhere.
 */
export const isOperator = ({ headers, socket }: IncomingMessage, token: string | null): boolean => {
  if (token !== null) return sameText(bearerOf(headers.authorization), token);
  // What a proxy on this machine passes on comes from anywhere.
  const passedOn = FORWARDING.some((name) => headers[name] !== undefined);
  if (passedOn || !LOOPBACK.test(socket.remoteAddress ?? '')) throw new Problem('local-only');
  return true;
};

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Compares in a time that tells nothing of either text. */
const sameText = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
