import { aborted } from '../kernel/signals.ts';
import { oneOf } from './arguments.ts';
import { AnsweredNo, type Command, type Common, leaf } from './commandLine.ts';
import { createOutput } from './output.ts';
import { type Role, type Runtime, roles, type Service } from './runtime.ts';
import { whileStoppable } from './signals.ts';

/** `intake serve`. */
export const addServeCommand = (program: Command, runtime: Runtime): void => {
  leaf(program, 'serve', 'run the service until SIGINT or SIGTERM', [
    'intake serve',
    'PORT=8080 DATA_DIR=/var/lib/intake intake serve',
    'intake serve --roles api,projections',
  ])
    .option(
      '--roles <roles>',
      `what this process does, of ${roles.join(',')} (default: all of them)`,
      rolesOf,
    )
    .action(run(runtime));
};

const role = oneOf(roles);

const rolesOf = (text: string): readonly Role[] => [
  ...new Set(text.split(',').map((name) => role(name.trim()))),
];

const run =
  (runtime: Runtime) =>
  (options: Common & Readonly<{ roles?: readonly Role[] }>): Promise<void> =>
    whileStoppable(async (stopped) => {
      const { roles: own = roles } = options;
      const { answer, notice } = createOutput(options.json);
      const service = await runtime.serve({ roles: own, stopped, notice });
      let hasEnded = true;
      try {
        const { url, healthUrl, storageUrl, data, broken } = service;
        await answer({ url, healthUrl, storageUrl, data, roles: own, pid: process.pid }, () =>
          greeting(service, own),
        );
        await Promise.race([aborted(stopped), broken()]);
      } finally {
        hasEnded = await service.close();
      }
      if (!hasEnded) throw new AnsweredNo('the stop was cut short');
    });

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
