import { aborted } from '../kernel/signals.ts';
import type { Service } from '../runtime/serve.ts';
import type { Config, Role } from '../runtime/settings/config.ts';
import { AnsweredNo, type Command, type Common, InvalidArgumentError, leaf } from './commandLine.ts';
import { createOutput } from './output.ts';
import { untilStopped } from './signals.ts';
import { madeDataDir, settings } from './stores.ts';

const ROLES: readonly Role[] = ['api', 'projections', 'reactors', 'workers'];

/** `intake serve`. */
export const addServeCommand = (program: Command): void => {
  leaf(program, 'serve', 'run the service until SIGINT or SIGTERM', [
    'intake serve',
    'PORT=8080 DATA_DIR=/var/lib/intake intake serve',
    'intake serve --roles api,projections',
  ])
    .option(
      '--roles <roles>',
      `what this process does, of ${ROLES.join(',')} (default: all of them)`,
      rolesOf,
    )
    .action(run);
};

/** Throws `InvalidArgumentError`. */
const rolesOf = (text: string): readonly Role[] => {
  const names = [...new Set(text.split(',').map((role) => role.trim()))];
  return names.map((name) => {
    const role = ROLES.find((known) => known === name);
    if (role === undefined) throw new InvalidArgumentError(`Roles are ${ROLES.join(', ')}.`);
    return role;
  });
};

const run = async (options: Common & Readonly<{ roles?: readonly Role[] }>): Promise<void> => {
  const { roles = ROLES } = options;
  const output = createOutput(options.json);
  const stopped = untilStopped();
  const config = await settings();
  await endOnTheUnexpected(config);
  const { serve } = await import('../runtime/serve.ts');
  const { hasData } = await import('../runtime/dataFolder.ts');
  const isNew = !hasData(config);
  const service = await serve(config, roles, stopped);
  let hasEnded = true;
  try {
    if (isNew) output.notice(madeDataDir(config));
    const { url, healthUrl, storageUrl, data, broken } = service;
    await output.answer({ url, healthUrl, storageUrl, data, roles, pid: process.pid }, () =>
      greeting(service, roles),
    );
    await Promise.race([aborted(stopped), broken()]);
  } finally {
    hasEnded = await service.close();
  }
  if (!hasEnded) throw new AnsweredNo('the stop was cut short');
};

/** Node itself would print an error with all that packages hang on it: requests, headers, bodies. */
const endOnTheUnexpected = async ({ logLevel }: Config): Promise<void> => {
  const { createLogger } = await import('../telemetry/log.ts');
  process.once('uncaughtException', (error) => {
    createLogger(logLevel, process.stderr).fatal(
      { err: error },
      'an error that nobody handled ends the process',
    );
    process.exit(1);
  });
};

const greeting = ({ url, healthUrl, storageUrl, data }: Service, roles: readonly Role[]): string =>
  [
    'Intake is running.',
    `  API      ${url ?? 'not served by this process'}`,
    `  health   ${healthUrl}/health/ready`,
    `  storage  ${storageUrl}`,
    `  data     ${data}`,
    `  roles    ${roles.join(', ')}`,
    `Stop it with Ctrl-C, or kill ${process.pid}: it ends what is under way first. A second time stops it at once.`,
  ].join('\n');
