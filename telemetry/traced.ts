import type { Handle } from '../commands/handle.ts';
import type { Span, Trace, Traced, Tracing } from '../kernel/trace.ts';
import type { Asker, Outgoing, Sender } from '../outbound/send.ts';
import type { Claimed } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';

type Optional = Tracing | null;

/** Commands, each in a span; the events stand in it. */
export const tracedHandle = (handle: Handle, tracing: Optional): Handle =>
  tracing === null
    ? handle
    : (decider, stream, command, context, options) => {
        const name = `command ${commandName(command)}`;
        const span = tracing.begin({ name, kind: 'internal', cause: context });
        return ending(span, (trace) => handle(decider, stream, command, { ...context, ...trace }, options));
      };

/** A log whose appends have a span, in the trace of their events. `system`: what stores it. */
export const tracedLog = (log: EventLog, tracing: Optional, system: string): EventLog =>
  tracing === null
    ? log
    : {
        ...log,
        append: (stream, head, events, subject) => {
          const attributes = {
            'db.system.name': system,
            'db.operation.name': 'append',
            ...(events.length > 1 && { 'db.operation.batch.size': events.length }),
          };
          const cause = events[0]?.metadata ?? {};
          const span = tracing.begin({
            name: `append ${categoryOf(stream)}`,
            kind: 'client',
            cause,
            attributes,
          });
          return ending(span, () => log.append(stream, head, events, subject));
        },
      };

/** How many traces of a page its span names. */
const MAX_LINKS = 128;

/**
 * A log whose pages have a span for as long as they are worked on: in their trace where they have but one,
 * and with links to each otherwise. A page without a trace has none.
 */
export const tracedPages = (log: EventLog, tracing: Optional, name: string): EventLog =>
  tracing === null
    ? log
    : {
        ...log,
        async *follow(after, options) {
          for await (const page of log.follow(after, options)) {
            const causes = new Map(
              page.events.flatMap(({ metadata }) =>
                metadata.traceparent === undefined ? [] : [[metadata.traceparent, metadata] as const],
              ),
            );
            const links = [...causes.values()].slice(0, MAX_LINKS);
            const isOne = new Set(links.map(({ traceparent = '' }) => traceparent.slice(3, 35))).size === 1;
            const attributes = {
              ...consuming('events'),
              'messaging.batch.message_count': page.events.length,
            };
            const cause = (isOne && links.at(-1)) || {};
            const span =
              links.length === 0 ? null : tracing.begin({ name, kind: 'consumer', cause, links, attributes });
            try {
              yield page;
            } finally {
              span?.end();
            }
          }
        },
      };

type Work<D, R> = (item: Claimed<D>, signal: AbortSignal) => Promise<R>;

/** Work of a queue, in a span of the trace that made it due; what it does stands in that. */
export const tracedWork = <D, R>(work: Work<D, R>, tracing: Optional, queue: string): Work<D, R> =>
  tracing === null
    ? work
    : (item, signal) => {
        // A delivery's item does not say what made it due: its attempts have spans of their own.
        const { cause } = item.document as Readonly<{ cause?: Traced }>;
        if (cause === undefined) return work(item, signal);
        const attributes = consuming(queue);
        const span = tracing.begin({ name: `process ${queue}`, kind: 'consumer', cause, attributes });
        return ending(span, (trace) =>
          work({ ...item, document: { ...item.document, cause: { ...cause, ...trace } } }, signal),
        );
      };

/** Something whose last argument is its cause, in a span. */
export const tracedCall = <A extends readonly unknown[], T>(
  call: (...given: readonly [...A, Traced]) => Promise<T>,
  tracing: Optional,
  name: string,
): ((...given: readonly [...A, Traced]) => Promise<T>) =>
  tracing === null
    ? call
    : (...given) => {
        const cause = given.at(-1) as Traced;
        const others = given.slice(0, -1) as unknown as A;
        return ending(tracing.begin({ name, kind: 'internal', cause }), (trace) => call(...others, trace));
      };

/** What sends requests of one purpose, each in a span that goes on in the receiver. */
export const tracedSender = <S extends Sender & Asker>(
  sender: S,
  tracing: Optional,
  purpose: string,
): Sender & Asker => {
  if (tracing === null) return sender;
  const spanning = async <
    R extends Outgoing,
    T extends Awaited<ReturnType<Asker['ask']>> | Awaited<ReturnType<Sender['send']>>,
  >(
    request: R,
    make: (request: R) => Promise<T>,
  ): Promise<T> => {
    const attributes = { 'http.request.method': 'POST', ...serverOf(request.url) };
    const span = tracing.begin({
      name: `POST ${purpose}`,
      kind: 'client',
      cause: request.cause ?? {},
      attributes,
    });
    try {
      const made = await span.within(() => make({ ...request, cause: span.trace }));
      if (made.statusCode !== null) span.set({ 'http.response.status_code': made.statusCode });
      span.end(made.error === null ? undefined : String(made.statusCode ?? 'no_answer'));
      return made;
    } catch (error) {
      span.end(nameOf(error));
      throw error;
    }
  };
  return {
    send: (request) => spanning(request, sender.send),
    ask: (question) => spanning(question, sender.ask),
  };
};

/** The attributes of whom a request goes to. */
export const serverOf = (url: string) => {
  const { hostname, port, protocol } = new URL(url);
  return {
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
};

/** The attributes of what is done with an event or an item of a queue. */
export const consuming = (destination: string) => ({
  'messaging.system': 'intake',
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.destination.name': destination,
});

/** Work in a span, which it ends. */
export const ending = async <T>(
  span: Span,
  work: (trace: Trace) => Promise<T>,
  failureOf: (done: T) => string | undefined = () => undefined,
): Promise<T> => {
  try {
    const done = await span.within(() => work(span.trace));
    span.end(failureOf(done));
    return done;
  } catch (error) {
    span.end(nameOf(error));
    throw error;
  }
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '_OTHER');

const commandName = (command: unknown): string => String(Object(command).type);

/** The rest of a stream's name is that of a thing. */
const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));
