import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { LogLevel, Report } from '../kernel/report.ts';
import { scrubbed } from '../kernel/scrub.ts';
import { currentNames } from './spanScope.ts';

export type Logger = PinoLogger;

/** Members that must never reach a log line, at any depth. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'key',
  'hash',
  'token',
  'password',
  'secret',
  'url',
  'body',
  'private',
]);
const MAX_DEPTH = 4;
const FLUSH_MS = 20;

/** Lines are written together: alone, each would cost more than the rest of a short request (decision 18). */
const batched = (): DestinationStream => {
  const lines = pino.destination({ dest: 2, sync: false, minLength: 8_192 });
  let isWaiting = false;
  return {
    write: (line) => {
      lines.write(line);
      // Not its own periodic flush, which writes to the file even when there is nothing.
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        lines.flush();
      }, FLUSH_MS).unref();
    },
  };
};

/**
 * JSON lines on standard error, so that standard output stays free for what a command answers. Secrets are
 * cut out.
 */
export const createLogger = (level: LogLevel, destination: DestinationStream = batched()): Logger =>
  pino(
    {
      level,
      base: null,
      mixin: currentNames,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describe(error) },
      // Not pino's own redaction: with wildcards it takes 10 of the 12 µs of a line.
      formatters: { log: (facts) => withoutSecrets(facts, MAX_DEPTH) },
    },
    destination,
  );

/** The same facts, copied only where something is cut out; an error is left to `describe`. */
const withoutSecrets = (facts: object, depth: number): Record<string, unknown> => {
  let result = facts as Record<string, unknown>;
  for (const [name, value] of Object.entries(facts)) {
    const safe = SECRET.has(name) ? '[redacted]' : safeValue(value, depth - 1);
    if (safe !== value) result = { ...result, [name]: safe };
  }
  return result;
};

const safeValue = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth === 0) return '[left out]';
  return Array.isArray(value) ? value.map((one) => safeValue(one, depth)) : withoutSecrets(value, depth);
};

const MAX_CAUSES = 4;

/** What of an error may be logged: packages hang requests, answers and bodies on theirs. */
const describe = (error: unknown, causes = MAX_CAUSES): object | string => {
  if (!(error instanceof Error)) return scrubbed(String(error));
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message: scrubbed(message),
    ...(typeof code === 'string' ? { code: scrubbed(code) } : {}),
    stack: scrubbed(stack ?? ''),
    ...(cause === undefined || causes === 0 ? {} : { cause: describe(cause, causes - 1) }),
  };
};

/**
 * A logger whose methods take the message first. An error of an outage that is reported elsewhere
 * (`isReported`) goes to `debug`: there would be a line for each loop, request and work item.
 */
export const reportTo = (logger: Logger, isReported: (error: unknown) => boolean = () => false): Report => {
  const at =
    (level: 'warn' | 'error') =>
    (message: string, facts: Facts = {}): void =>
      logger[isReported(facts.err) ? 'debug' : level](facts, message);
  return {
    info: (message, facts = {}) => logger.info(facts, message),
    warn: at('warn'),
    error: at('error'),
  };
};

type Facts = Readonly<{ err?: unknown }>;
