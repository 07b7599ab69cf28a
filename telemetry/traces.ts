import {
  createTraceState,
  DiagLogLevel,
  diag,
  type SpanKind as Kind,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Report } from '../kernel/report.ts';
import {
  parentOf,
  partsOf,
  type Span,
  type SpanKind,
  type Trace,
  type Traced,
  type Tracing,
} from '../kernel/trace.ts';
import { version } from '../kernel/version.ts';
import { currentTrace, withinSpan } from './spanScope.ts';

/** The name of what records spans. */
const SCOPE = 'intake';

/** As OpenTelemetry numbers them. */
const KINDS: Readonly<Record<SpanKind, Kind>> = { internal: 0, server: 1, client: 2, consumer: 4 };

type Provider = Readonly<{ getTracer(name: string, version?: string): Tracer }>;

/** Spans by a provider of OpenTelemetry. */
export const tracingOf = (provider: Provider): Tracing => {
  const tracer = provider.getTracer(SCOPE, version);
  return {
    current: currentTrace,
    begin: ({ name, kind, cause, attributes = {}, links = [] }) => {
      const parent = contextOf(cause);
      const linked = links.flatMap((link) => contextOf(link) ?? []).map((context) => ({ context }));
      const options = { kind: KINDS[kind], attributes, links: linked };
      return spanOf(
        tracer.startSpan(
          name,
          options,
          parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
        ),
      );
    },
  };
};

/** Spans by the SDK that whoever started the process has registered; null where there is none. */
export const registeredTracing = (): Tracing | null => {
  const provider = trace.getTracerProvider();
  const isNone =
    provider instanceof ProxyTracerProvider && provider.getDelegateTracer(SCOPE, version) === undefined;
  return isNone ? null : tracingOf(provider);
};

/** The message in an error that the SDK writes as JSON, with its stack. */
const MESSAGE = /"message":"([^"]*)"/;

/** Reports an error as `reportTraceFaults` does one of the SDK. */
export const traceFault = (error: Error): void => diag.error(error.message);

/** Reports what hinders the SDK, such as a collector that is not there. */
export const reportTraceFaults = (report: Report): void => {
  const warn = (text: string): void =>
    report.warn('traces can’t be sent', { detail: MESSAGE.exec(text)?.[1] ?? text });
  const ignore = (): void => undefined;
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
};

const contextOf = ({ traceparent, tracestate }: Traced): SpanContext | null => {
  const parts = traceparent === undefined ? null : partsOf(traceparent);
  if (parts === null) return null;
  const { traceId, spanId, flags } = parts;
  const state = tracestate === undefined ? {} : { traceState: createTraceState(tracestate) };
  return { traceId, spanId, traceFlags: flags, isRemote: true, ...state };
};

const spanOf = (span: ReturnType<Tracer['startSpan']>): Span => {
  const trace = traceOfSpan(span.spanContext());
  return {
    trace,
    within: (work) => withinSpan(trace, work),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    end: (error) => {
      if (error !== undefined)
        span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
};

const traceOfSpan = ({ traceId, spanId, traceFlags, traceState }: SpanContext): Trace => {
  const tracestate = traceState?.serialize() ?? '';
  return { traceparent: parentOf(traceId, spanId, traceFlags), ...(tracestate !== '' && { tracestate }) };
};
