import { useState } from 'preact/hooks';
import type { ReadModelStatus, Task } from '../../../schemas/operations.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Mark } from '../../parts/marks.tsx';
import { duration, number } from '../../parts/quantity.ts';
import { say, texts } from '../../texts.ts';
import { PATH, type ServiceLists } from './read.ts';
import { type Cells, ListSection } from './section.tsx';
import { TaskProgress } from './tasks.tsx';

const own = texts.operations.readModels;
const { columns } = own;
const abouts: Readonly<Record<string, string>> = own.about;

const TONES = { live: 'good', outdated: 'warning', absent: 'warning', newer: 'warning' } as const;

type ReadModelsProps = Readonly<{
  models: ServiceLists['projections'];
  /** Those that have not ended. */
  tasks: readonly Task[];
  onAsked(): void;
}>;

/** The read models: how far each is, and its rebuild. */
export const ReadModels = ({ models, tasks, onAsked }: ReadModelsProps) => {
  const [asked, ask] = useState<readonly string[] | null>(null);
  const taskOf = (name: string) => tasks.find(({ projections }) => projections.includes(name));
  const free = (models.value?.data ?? []).map(({ name }) => name).filter((name) => !taskOf(name));
  const all = (
    <Button disabled={free.length === 0} onClick={() => ask(free)}>
      {own.rebuildAll}
    </Button>
  );
  const action = ({ name }: ReadModelStatus) => (
    <Rebuild name={name} task={taskOf(name)} onAsked={() => ask([name])} />
  );
  return (
    <>
      <ListSection
        title={own.title}
        actions={all}
        resource={models}
        empty={texts.operations.none}
        keyOf={({ name }) => name}
        names={columns}
        cells={{ ...facts, action }}
      />
      {asked && <RebuildDialog names={asked} onAsked={onAsked} onClose={() => ask(null)} />}
    </>
  );
};

type RebuildProps = Readonly<{ name: string; task: Task | undefined; onAsked(): void }>;

/** Asks for the rebuild of a read model; while one is under way, how far it is. */
const Rebuild = ({ name, task, onAsked }: RebuildProps) =>
  task ? (
    <TaskProgress task={task} />
  ) : (
    <Button aria-label={say(own.rebuildOf, { name })} onClick={onAsked}>
      {own.rebuild}
    </Button>
  );

const facts: Cells<ReadModelStatus, keyof typeof columns> = {
  name: ({ name }) => name,
  about: ({ name }) => abouts[name],
  state: ({ state, quarantined }) => (
    <>
      <Mark tone={TONES[state]}>{own.states[state]}</Mark>{' '}
      {quarantined > 0 && <Mark tone="bad">{say(own.quarantined, { count: quarantined })}</Mark>}
    </>
  ),
  lag: ({ lag }) =>
    lag.events === 0
      ? own.upToDate
      : say(own.behind, { events: number(lag.events), time: duration(lag.seconds) }),
  rate: ({ rate }) => say(own.rate, { rate: number(rate) }),
  version: ({ serves, version }) => versionOf(serves?.version ?? version, version),
  position: ({ position }) => <code>{position}</code>,
};

const versionOf = (serves: number, version: number): string =>
  serves === version ? String(version) : say(texts.operations.readModels.versions, { serves, version });

type DialogProps = Readonly<{ names: readonly string[]; onAsked(): void; onClose(): void }>;

/** Asks once whether to rebuild read models. */
export const RebuildDialog = ({ names, onAsked, onClose }: DialogProps) => {
  const [isAnew, setAnew] = useState(false);
  const work = async (): Promise<void> => {
    const body = { projections: [...names], anew: isAnew };
    await api.post(`${PATH}/projections/rebuild`, { body });
    announce(own.asked);
    onAsked();
  };
  return (
    <ConfirmDialog
      title={say(own.rebuildTitle, { count: names.length })}
      act={own.rebuild}
      work={work}
      onClose={onClose}
    >
      <p>{names.join(', ')}</p>
      <p>{own.rebuildText}</p>
      <label class="check">
        <input type="checkbox" checked={isAnew} onChange={() => setAnew(!isAnew)} /> {own.anew}
      </label>
    </ConfirmDialog>
  );
};
