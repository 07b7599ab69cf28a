import { relative } from 'node:path';
import { aborted } from '../kernel/signals.ts';
import { oneOf } from './arguments.ts';
import { AnsweredNo, type Command, type Common, leaf } from './commandLine.ts';
import { createOutput } from './output.ts';
import { type FirstInvitation, type Role, type Runtime, roles, type Service } from './runtime.ts';
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
        const { url, consoleUrl, healthUrl, storageUrl, data, broken } = service;
        await answer({ url, consoleUrl, healthUrl, storageUrl, data, roles: own, pid: process.pid }, () =>
          greeting(service, own),
        );
        await Promise.race([aborted(stopped), broken()]);
      } finally {
        hasEnded = await service.close();
      }
      if (!hasEnded) throw new AnsweredNo('the stop was cut short');
    });

const NOT_HERE = 'not served by this process';

const greeting = (
  { url, consoleUrl, firstInvitation, healthUrl, storageUrl, data }: Service,
  roles: readonly Role[],
): string =>
  [
    'Intake is running.',
    `  API      ${url ?? NOT_HERE}`,
    `  console  ${consoleUrl ?? NOT_HERE}`,
    `  health   ${healthUrl}/health/ready`,
    `  storage  ${storageUrl}`,
    `  data     ${data}`,
    `  roles    ${roles.join(', ')}`,
    ...(firstInvitation ? inviting(firstInvitation) : []),
    `Stop it with Ctrl-C, or kill ${process.pid}: it ends what is under way first. A second time stops it at once.`,
  ].join('\n');

/**
 * How the first person gets into the console; an engine's settings are secret, and stay where they are set.
 */
const inviting = ({ settings, secret }: FirstInvitation): readonly string[] => {
  const words = [...settings, command(), 'invite --email you@example.com --role super_admin'];
  return [
    'Nobody can log in to the console yet. Invite the first person, from another terminal in this folder:',
    `  ${words.join(' ')}`,
    ...(secret.length > 0 ? [`  where ${secret.join(', ')}, and what belongs to it, is set as here`] : []),
  ];
};

/** This program as it was called: npx finds it in the folder alone. */
const command = (): string => {
  const [, path = ''] = process.argv;
  if (process.env.npm_command === 'exec') return 'npx intake';
  return path.endsWith('.js') ? `node ${relative('', path)}` : 'intake';
};
