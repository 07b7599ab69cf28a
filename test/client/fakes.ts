import * as assert from 'uvu/assert';
import { createClient, IntakeError } from '../../client/index.ts';
import type { ClientOptions } from '../../client/request.ts';

/** What a service answers: an answer, or a failure of the network. */
type Scripted = Response | Error | ((signal: AbortSignal) => Promise<Response>);

/** An answer as JSON. */
export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A problem of the service. */
export const problem = (
  status: number,
  code: string,
  retryable: boolean,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  json(
    status,
    {
      type: `/problems/${code}`,
      title: code,
      status,
      detail: `It was ${code}.`,
      instance: null,
      code,
      requestId: 'req-1',
      retryable,
    },
    { 'content-type': 'application/problem+json', ...headers },
  );

/**
 * A client of a service that gives these answers in their order, in no time: what was sent, and how long it
 * paused.
 */
export const scripted = (answers: readonly Scripted[], options: Partial<ClientOptions> = {}) => {
  const sent: Readonly<{
    method: string;
    url: string;
    headers: Headers;
    body: unknown;
    redirect: unknown;
  }>[] = [];
  const pauses: number[] = [];
  const left = [...answers];
  let now = Date.parse('2026-11-21T10:46:00Z');
  const intake = createClient(
    { url: 'https://intake.example/', key: 'aok_1', ...options },
    {
      fetch: async (url, init = {}) => {
        const { method = 'GET', headers = {}, body, redirect } = init;
        sent.push({ method, url: String(url), headers: new Headers(headers), body, redirect });
        const answer = left.shift();
        if (!answer) throw new Error(`nothing is scripted for ${method} ${url}`);
        if (answer instanceof Error) throw answer;
        return typeof answer === 'function' ? answer(init.signal as AbortSignal) : answer;
      },
      now: () => now,
      random: () => 0.5,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        pauses.push(ms);
        now += ms;
      },
    },
  );
  return { intake, sent, pauses };
};

/** What a call fails with, which must be an IntakeError. */
export const failureOf = async (task: Promise<unknown>): Promise<IntakeError> => {
  const error = await task.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, IntakeError);
  return error as IntakeError;
};

/** A service that does not answer. */
export const hanging = (signal: AbortSignal) =>
  new Promise<Response>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
