import { mutantsOf } from './mutant.ts';

/** Breakages of what integrators use: the client, the command line, the pages at /docs. */
export const integrationBroken = [
  mutantsOf('cli/profiles.ts', [['cli-11', '(fstatSync(file).mode & OTHERS) !== 0', 'false']]),
  mutantsOf('cli/api/forward.ts', [['cli-13', 'JSON.stringify(event)', 'JSON.stringify(event, null, 1)']]),
  mutantsOf('cli/api/listenFeed.ts', [['cli-14', '(from !== null && { from })', '{}']]),
  mutantsOf('cli/api/trigger.ts', [['cli-15', "mode === 'test'", 'true']]),
  mutantsOf('cli/account.ts', [['cli-12', 'address === null || address === stored.url', 'true']]),
  mutantsOf('cli/api/submit.ts', [['cli-16', 'UNSUCCESSFUL.includes(job.submissionStatus)', 'false']]),
  mutantsOf('cli/failure.ts', [['cli-17', '(requestId !== null && { requestId })', '{}']]),
  mutantsOf('cli/candidates.ts', [['cli-18', 'option?.required ? option : null', 'null']]),
  mutantsOf('http/docs/guides/mentions.ts', [['pages-6', 'named === undefined', 'true']]),
  mutantsOf('http/docs/pages.ts', [
    ['pages-6', 'joined(mentions.get(one.operation.operationId) ?? [], externalDocs)', '[]'],
  ]),
  mutantsOf('http/docs/samples/curl.ts', [['pages-7', 'addressOf(call, base)', "addressOf(call, '')"]]),
  mutantsOf('http/docs/operationView.ts', [['pages-8', "security.some((one) => 'apiKey' in one)", 'true']]),
  mutantsOf('http/docs/search/find.ts', [
    ['pages-9', 'scores.includes(0) ? 0', 'false ? 0'],
    ['pages-9', '? 1 : 0', '? 0 : 0'],
  ]),
  mutantsOf('kernel/event.ts', [['traces-1', '...traceIn(metadata),', '']]),
  mutantsOf('http/routes/caller.ts', [['traces-1', '...trace,', '']]),
  mutantsOf('outbound/send.ts', [
    ['traces-2', 'headers: cause ? { ...headers, ...traceIn(cause) } : headers,', 'headers,'],
  ]),
  mutantsOf('reactors/deliverWebhooks.ts', [['traces-2', 'events.at(-1)?.metadata', 'events[0]?.metadata']]),
  mutantsOf('kernel/trace.ts', [
    ['traces-3', "version === '00' && rest !== undefined", 'false'],
    ['traces-3', '&& !SECRET.test(state)', ''],
  ]),
  mutantsOf('telemetry/traced.ts', [
    ['traces-4', '{ ...context, ...trace }', 'context'],
    ['traces-4', 'cause: span.trace', 'cause: request.cause'],
  ]),
  mutantsOf('telemetry/traces.ts', [['traces-4', 'withinSpan(trace, work)', 'work()']]),
  mutantsOf('runtime/traces.ts', [
    ['traces-4', 'provider.shutdown()', 'Promise.resolve()'],
    ['traces-5', "error.code !== 'ERR_MODULE_NOT_FOUND'", 'true'],
  ]),
  mutantsOf('client/answer.ts', [['client-2', 'status === 429 || (repeatable && status >= 500)', 'true']]),
].flat();
