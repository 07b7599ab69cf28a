import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from '../problems/problem.ts';
import { bearerOf } from './credentials.ts';

/**
 * Whether a request is the operator's: with a token (METRICS_TOKEN), whether it bears that token; without
 * one, whether it comes from this machine, judged by the socket alone. Throws 403 `local-only` otherwise.
 */
export const isOperator = ({ headers, socket }: IncomingMessage, token: string | null): boolean => {
  if (token !== null) return isSameText(bearerOf(headers.authorization), token);
  // What a proxy on this machine forwards comes from anywhere.
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined);
  if (isForwarded || !LOOPBACK.test(socket.remoteAddress ?? '')) throw new Problem('local-only');
  return true;
};

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const LOOPBACK = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** Compares in a time that reveals nothing of either text. */
const isSameText = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
