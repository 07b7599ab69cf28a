import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { version } from '../kernel/version.ts';

/**
 * A provider that sends spans to this address of a collector (OTLP over HTTP, as JSON). Sampler, batches,
 * headers and what names this service are as the SDK's own variables say.
 */
export const otlpProvider = (endpoint: string): BasicTracerProvider => {
  const own = resourceFromAttributes({ 'service.name': 'intake', 'service.version': version });
  const exporter = new OTLPTraceExporter({ url: endpoint });
  return new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
};
