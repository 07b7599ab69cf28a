import { groupBy } from '../kernel/groupBy.ts';
import type { Parked } from '../projections/engine/parked.ts';
import type { Retried } from '../projections/engine/rebuild/retry.ts';
import type { ProjectionStatus } from '../projections/engine/status.ts';
import { type Command, group, leaf, WrongUsage } from './commandLine.ts';
import { CommandFailed } from './failure.ts';
import { type Columns, type Output, printable, table } from './output.ts';
import type { Runtime } from './runtime.ts';
import { whileStoppable } from './signals.ts';
import { onStores, type Stores } from './stores.ts';

/** `intake projections …`: the read models: status, rebuilds, quarantined documents. */
export const addProjectionCommands = (program: Command, runtime: Runtime): void => {
  const projections = group(program, 'projections', 'read models: status, and rebuilds from the log');
  leaf(projections, 'status', 'show the position of each read model and its quarantined documents', [
    'intake projections status',
    'intake projections status --json | jq ".data[] | {name, lag}"',
  ]).action(onStores(runtime, status));
  leaf(projections, 'rebuild', 'make read models anew beside those that serve, then let the new ones serve', [
    'intake projections rebuild submissions',
    'intake projections rebuild --all',
    'intake projections rebuild --all --json',
  ])
    .argument('[name]', 'a read model, as `intake projections status` names it')
    .option('--all', 'every read model, in one pass over the log')
    .option('--anew', 'begin at the first event, also where a cancelled rebuild could go on')
    .action(onStores(runtime, rebuild));
  leaf(projections, 'retry', 'fold the quarantined documents of a read model again, after a fix', [
    'intake projections retry submissions',
  ])
    .argument('<name>', 'a read model, as `intake projections status` names it')
    .action(onStores(runtime, retry));
};

const columns: Columns<ProjectionStatus> = {
  NAME: ({ name }) => name,
  STATE: ({ state, rebuilding }) =>
    rebuilding === null ? state : `${state}; a rebuild has read ${rebuilding.events} events`,
  VERSION: ({ version, serves }) =>
    serves === null || serves.version === version
      ? version
      : `${serves.version} serves, ${version} is to come`,
  'LAG (EVENTS)': ({ lag }) => lag.events,
  'LAG (S)': ({ lag }) => lag.seconds.toFixed(1),
  'EVENTS/S': ({ rate }) => rate,
  QUARANTINED: ({ quarantined }) => quarantined.count,
  POSITION: ({ position }) => position,
};

const status = async ({ core, output }: Stores): Promise<void> => {
  const { projectionStatus } = await import('../projections/engine/status.ts');
  const { parkedEvents } = await import('../projections/engine/parked.ts');
  const all = await projectionStatus(core);
  const parked = await parkedEvents(core.documents.tables);
  await output.answer({ data: all, parked }, () => statusText(all, parked));
};

const statusText = async (all: readonly ProjectionStatus[], parked: readonly Parked[]): Promise<string> => {
  const lines = all.flatMap(({ name, quarantined: { count, documents } }) => [
    ...documents.map(
      ({ key, eventId, error }) =>
        `${name}: ${printable(key)} is quarantined at event ${eventId}: ${printable(error)}`,
    ),
    ...(count > documents.length ? [`${name}: and ${count - documents.length} others`] : []),
  ]);
  lines.push(...parkedLines(parked));
  return [await table(all, columns), ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
};

const parkedLines = (parked: readonly Parked[]): readonly string[] => {
  const types = groupBy(parked, ({ type, schema }) => `${type} (version ${schema})`);
  return [...types].map(
    ([name, own]) =>
      `${own.length} events of the type ${printable(name)} were skipped (this release does not support it): the first is ${own[0]?.id} in ${own[0]?.stream}`,
  );
};

const rebuild = async (
  { core, output }: Stores,
  name: string | undefined,
  { all = false, anew = false }: Readonly<{ all?: boolean; anew?: boolean }>,
): Promise<void> => {
  const { rebuildFromHere } = await import('./rebuild.ts');
  const chosen = chosenOf(core.projections, name, all);
  await whileStoppable((signal) => rebuildFromHere(core, chosen, anew, signal, output));
};

const chosenOf = <P extends Readonly<{ name: string }>>(
  all: readonly P[],
  name: string | undefined,
  isAll: boolean,
): readonly P[] => {
  if (isAll === (name !== undefined))
    throw new WrongUsage(
      `Give the name of a read model, or --all. ${namesOf(all)}`,
      'intake projections rebuild',
    );
  return isAll ? all : [named(all, name ?? '')];
};

const named = <P extends Readonly<{ name: string }>>(all: readonly P[], name: string): P => {
  const found = all.find((one) => one.name === name);
  if (found) return found;
  throw new CommandFailed('projection-not-found', `There is no read model ${printable(name)}.`, namesOf(all));
};

const namesOf = (all: readonly Readonly<{ name: string }>[]): string =>
  `They are ${all.map(({ name }) => name).join(', ')}.`;

const retry = async ({ core, output }: Stores, name: string): Promise<void> => {
  const {
    NotLive,
    PATIENCE_MS: patienceMs,
    runRetry,
  } = await import('../projections/engine/rebuild/leased.ts');
  const { PAGE: page } = await import('./rebuild.ts');
  const projection = named(core.projections, name);
  const { log, documents, owner } = core;
  const retried = await whileStoppable((signal) =>
    runRetry({ log, documents, owner, signal, page, patienceMs }, projection),
  ).catch((error: unknown) => {
    const hint = '`intake projections rebuild NAME` makes it anew.';
    throw error instanceof NotLive ? new CommandFailed('not-live', error.message, hint) : error;
  });
  if (retried === null) throw new CommandFailed('cancelled', 'Cancelled: what was quarantined still is.');
  await reportRetried(name, retried, output);
};

const reportRetried = async (name: string, { released, held }: Retried, output: Output): Promise<void> => {
  await output.answer({ name, released, held }, () =>
    [
      released + held.length === 0 ? `Nothing is quarantined in ${name}.` : `${released} go on.`,
      ...held.map(
        ({ key, eventId, error }) => `${printable(key)} threw again at event ${eventId}: ${printable(error)}`,
      ),
    ].join('\n'),
  );
  if (held.length > 0)
    throw new CommandFailed(
      'still-quarantined',
      `${held.length} of ${released + held.length} documents threw again.`,
    );
};
