import { trace } from '@opentelemetry/api';
import { otlpProvider } from '../../telemetry/otlp.ts';

// Loaded by `node --import` before a service, as an operator's own SDK would be: it sends to COLLECTOR.
trace.setGlobalTracerProvider(otlpProvider(process.env.COLLECTOR ?? ''));
