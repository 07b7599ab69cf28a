import type { Event } from '../kernel/event.ts';
import type { Tracing } from '../kernel/trace.ts';
import type { Mailer } from '../outbound/mail.ts';
import type { GuardedFetch } from '../outbound/openIdFetch.ts';
import type { Reactor } from '../reactors/engine/reactor.ts';
import { consuming, ending, serverOf } from './traced.ts';

type Optional = Tracing | null;

/** A mailer whose mails have a span each, where the work that sends them stands. */
export const tracedMailer = (mailer: Mailer, tracing: Optional, host: string): Mailer =>
  tracing === null
    ? mailer
    : {
        send: async (...given) => {
          const attributes = { 'server.address': host };
          const cause = tracing.current();
          const span = tracing.begin({ name: 'send mail', kind: 'client', cause, attributes });
          return ending(
            span,
            () => mailer.send(...given),
            ({ error }) => (error === null ? undefined : 'not_accepted'),
          );
        },
      };

/** Requests to an identity provider, each in a span, where what needs the answer stands. */
export const tracedFetch =
  (tracing: Optional) =>
  (fetch: GuardedFetch): GuardedFetch =>
    tracing === null
      ? fetch
      : async (url, init) => {
          const attributes = { 'http.request.method': init.method, ...serverOf(url) };
          const name = `${init.method} identity provider`;
          const span = tracing.begin({ name, kind: 'client', cause: tracing.current(), attributes });
          return ending(
            span,
            async () => {
              const answer = await fetch(url, init);
              span.set({ 'http.response.status_code': answer.status });
              return answer;
            },
            ({ ok, status }) => (ok ? undefined : String(status)),
          );
        };

/** A reactor whose reactions have a span each, in the trace of their event; without a trace there is none. */
export const tracedReactor = <E extends Event>(reactor: Reactor<E>, tracing: Optional): Reactor<E> =>
  tracing === null
    ? reactor
    : {
        ...reactor,
        react: (event, signal) => {
          const { metadata: cause } = event;
          if (cause.traceparent === undefined) return reactor.react(event, signal);
          const name = `react ${reactor.name}`;
          const span = tracing.begin({ name, kind: 'consumer', cause, attributes: consuming('events') });
          return ending(span, (trace) =>
            reactor.react({ ...event, metadata: { ...event.metadata, ...trace } }, signal),
          );
        },
      };
