import type { IntakeClient } from '../client/index.ts';
import { type Account, type AccountOptions, accountOf } from './account.ts';
import { profile, serviceUrl } from './arguments.ts';
import { type Command, type Common, leaf } from './commandLine.ts';
import { type Columns, createOutput, type Output } from './output.ts';
import type { Stored } from './profiles.ts';

/** What a command over HTTP works with. */
export type Service = Readonly<{ account: Account; intake: IntakeClient; output: Output }>;

/** A command over HTTP: with `--json`, `--profile`, `--url`, and examples in its help. */
export const overHttp = (...given: Parameters<typeof leaf>): Command =>
  leaf(...given)
    .option('--profile <name>', 'the account that was stored under this name', profile)
    .option('--url <url>', 'the service, in place of INTAKE_URL', serviceUrl);

/** A person waits: that long work goes on over an outage is said where it is called. */
const MAX_RETRIES = 3;

/** The client of an account. It is loaded when it is used, since commands must start fast. */
export const clientOf = async ({ url, key }: Stored, maxRetries = MAX_RETRIES): Promise<IntakeClient> => {
  const { createClient } = await import('../client/index.ts');
  return createClient({ url, key, maxRetries });
};

/**
 * The action of a command over HTTP: `run` also gets the arguments, the options and the command.
 * `maxRetries`: how often a request is sent again.
 */
export const onService =
  <Given extends readonly unknown[]>(
    run: (service: Service, ...given: Given) => Promise<void>,
    { maxRetries }: Readonly<{ maxRetries?: number }> = {},
  ) =>
  async (...given: Given): Promise<void> => {
    const options = (given.at(-1) as Command).optsWithGlobals<Common & AccountOptions>();
    const account = accountOf(options);
    const intake = await clientOf(account, maxRetries);
    await run({ account, intake, output: createOutput(options.json) }, ...given);
  };

/** The size of the pages to ask for, to see `most` rows and whether there are more. */
export const pageSize = (most: number): number => Math.min(most + 1, 100);

/** Shows the first rows of a list, no more than `most`. */
export const showRows = async <R extends object>(
  output: Output,
  rows: AsyncIterable<R>,
  most: number,
  columns: Columns<R>,
  empty: string,
): Promise<void> => {
  const items: R[] = [];
  let more = false;
  for await (const row of rows) {
    more = items.length === most;
    if (more) break;
    items.push(row);
  }
  await output.list(items, columns, empty);
  if (more) output.notice(`There are more than these ${most}: --limit shows up to 10000.`);
};

/** The members that are not undefined. */
export const given = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
