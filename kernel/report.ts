/** Where loops report failures; `telemetry/log.ts` makes one. */
export type Report = Readonly<{
  info(message: string, facts?: object): void;
  warn(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
}>;

/** How much is logged, as pino names it. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
