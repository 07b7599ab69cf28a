/**
 * Where something stands in a trace (W3C Trace Context, level 1): its place, and what tracing systems keep
 * beside it.
 */
export type Trace = Readonly<{ traceparent: string; tracestate?: string }>;

/** What may stand in a trace. */
export type Traced = Partial<Trace>;

type Attributes = Readonly<Record<string, string | number>>;

/** How a span stands to others, as OpenTelemetry has it. */
export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';

/** Work under way. `trace`: where what it causes stands. No member throws. */
export type Span = Readonly<{
  trace: Trace;
  /** Does work whose log lines name the span, and which `current` finds. */
  within<T>(work: () => T): T;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** `error`: its kind, of work that failed; never its message, which may be private. */
  end(error?: string): void;
}>;

/** A span to begin. `cause`: what caused the work; `links`: what else did. */
export type NewSpan = Readonly<{
  name: string;
  kind: SpanKind;
  cause: Traced;
  attributes?: Attributes;
  links?: readonly Traced[];
}>;

/** Begins spans. Attributes are names of ours and numbers, never values that a client sent. */
export type Tracing = Readonly<{
  begin(span: NewSpan): Span;
  /** Where the work under way stands; nothing outside of a span. */
  current(): Traced;
}>;

/** The members of a log line that name a span. */
export type SpanNames = Readonly<{ traceId: string; spanId: string }>;

/** What a log line says of something in a trace. */
export const namesOf = ({ traceparent }: Traced): SpanNames | undefined => {
  const parts = traceparent === undefined ? null : partsOf(traceparent);
  return parts === null ? undefined : { traceId: parts.traceId, spanId: parts.spanId };
};

const PARENT = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Sampled, and random: the flags that are defined. */
const FLAGS = 0b11;

const KEY = String.raw`(?:[a-z][a-z\d_*/-]{0,255}|[a-z\d][a-z\d_*/-]{0,240}@[a-z][a-z\d_*/-]{0,13})`;
const ENTRY = new RegExp(
  `^${KEY}=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]$`,
);
const MAX_STATE = 512;
const MAX_ENTRIES = 32;

/** The parts of a `traceparent`, of this version or a later one; null for one that is none. */
export const partsOf = (traceparent: string) => {
  const [, version, traceId, spanId, flags, rest] = PARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags ?? '', 16) & FLAGS };
};

/** The `traceparent` of these parts. */
export const parentOf = (traceId: string, spanId: string, flags: number): string =>
  `00-${traceId}-${spanId}-${(flags & FLAGS).toString(16).padStart(2, '0')}`;

/** An API key or a token of ours: it would be kept in events, and sent on. */
const SECRET = /(aok|ast)_[\w-]{20}/i;

const stateOf = (header: string): string | null => {
  const entries = header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const state = entries.join(',');
  const isValid = entries.length <= MAX_ENTRIES && entries.every((entry) => ENTRY.test(entry));
  return state !== '' && state.length <= MAX_STATE && isValid && !SECRET.test(state) ? state : null;
};

/** What the headers of a request say of its trace; nothing where they are not valid (traces-3). */
export const traceOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Traced => {
  const { traceparent, tracestate } = headers;
  const parts = typeof traceparent === 'string' ? partsOf(traceparent) : null;
  if (parts === null) return {};
  const state = tracestate === undefined ? null : stateOf([tracestate].flat().join());
  return {
    traceparent: parentOf(parts.traceId, parts.spanId, parts.flags),
    ...(state !== null && { tracestate: state }),
  };
};

/** The members of something that say where it stands in a trace, alone. */
export const traceIn = ({ traceparent, tracestate }: Traced): Traced => ({
  ...(traceparent !== undefined && { traceparent }),
  ...(tracestate !== undefined && { tracestate }),
});
