import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { LogLevel } from './config.ts';
import { scrubbed } from './scrub.ts';

export type Logger = PinoLogger;

/** Members that must never reach a log line, wherever they stand at the first two levels. */
const SECRET = [
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
];

/** JSON lines on standard error, so that standard output stays free for what a command answers. Secrets are cut out. */
export const createLogger = (
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 2, sync: false }),
): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describe(error) },
      redact: { paths: SECRET.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    destination,
  );

const CAUSES = 4;

/** What of an error may be logged: packages hang requests, answers and bodies on theirs. */
const describe = (error: unknown, left = CAUSES): object | string => {
  if (!(error instanceof Error)) return scrubbed(String(error));
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message: scrubbed(message),
    ...(typeof code === 'string' ? { code: scrubbed(code) } : {}),
    stack: scrubbed(stack ?? ''),
    ...(cause === undefined || left === 0 ? {} : { cause: describe(cause, left - 1) }),
  };
};

/** A logger as loops want it: message first. */
export const reportTo = (logger: Logger) => ({
  info: (message: string, facts: object = {}) => logger.info(facts, message),
  warn: (message: string, facts: object = {}) => logger.warn(facts, message),
  error: (message: string, facts: object = {}) => logger.error(facts, message),
});
