import { closed, meaning, nullable, oneOf, Type, text, time, whole } from './schema.ts';

/** Who did something. */
export const Actor = closed({
  kind: oneOf(['key', 'user', 'operator', 'system']),
  id: text('an identifier of the service, never a name or an address'),
});

const members = {
  schema: whole('the version of the data, from 1'),
  at: time('when it was decided'),
  $correlationId: text('what it belongs to: everything that follows from one request'),
  $causationId: text('what caused it: a request, or an event'),
  actor: meaning(Actor, 'who caused it'),
  requestId: Type.Optional(text('the request’s `X-Request-Id`, where one caused it')),
  traceparent: Type.Optional(text('where it stands in a trace (W3C Trace Context), where it is in one')),
  tracestate: Type.Optional(text('what tracing systems keep beside that')),
};

/** An event's metadata before it is stored. */
export const NewMetadata = closed(members);

/** The same as they are stored. */
export const StoredMetadata = closed({
  ...members,
  prev: nullable(text('the SHA-256 (hex) of the stream’s previous stored event; null for the first')),
});
