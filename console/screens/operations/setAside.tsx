import { useEffect, useState } from 'preact/hooks';
import type {
  ParkedEvent,
  QuarantinedDocument,
  ReactionSetAside,
  Task,
} from '../../../schemas/operations.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { type Action, useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { say, texts } from '../../texts.ts';
import { PATH, type ServiceLists } from './read.ts';
import { RebuildDialog } from './readModels.tsx';
import { type Cells, ListSection } from './section.tsx';

const own = texts.operations.setAside;
const { columns } = own;

type QuarantinedProps = Readonly<{
  documents: ServiceLists['quarantined'];
  /** Each time a retry has ended it is looked what is left. */
  ended: number;
  onAsked(): void;
}>;

/** Documents whose projection threw. */
export const Quarantined = ({ documents, ended, onAsked }: QuarantinedProps) => {
  useEffect(() => void documents.reload(), [ended]);
  const action = useAction();
  const retry = async ({ projection, document }: QuarantinedDocument): Promise<void> => {
    const path = { projection };
    await api.post(`${PATH}/projections/{projection}/retry`, { path, body: { document } });
    announce(own.asked);
    onAsked();
  };
  return (
    <ListSection
      title={own.documents}
      resource={documents}
      action={action}
      empty={own.noDocuments}
      keyOf={({ collection, document }) => `${collection} ${document}`}
      names={columns}
      cells={{
        document: ({ document }) => <code>{document}</code>,
        projection: ({ projection }) => projection,
        event: ({ eventId }) => <code>{eventId}</code>,
        reason: ({ reason }) => reason,
        action: (row) => <RetryButton name={row.document} action={action} work={() => retry(row)} />,
      }}
    />
  );
};

/** Reactions that were given up after they had failed for a while. */
export const Reactions = ({ reactions }: Pick<ServiceLists, 'reactions'>) => {
  const action = useAction();
  const retry = async ({ reactor, eventId }: ReactionSetAside): Promise<void> => {
    const path = { reactor, eventId };
    const retried = await api.post(`${PATH}/reactions/{reactor}/{eventId}/retry`, { path });
    announce(retried.done ? own.done : say(own.failed, { reason: retried.reason ?? '' }), !retried.done);
    reactions.reload();
  };
  return (
    <ListSection
      title={own.reactions}
      resource={reactions}
      action={action}
      empty={own.noReactions}
      keyOf={({ reactor, eventId }) => `${reactor} ${eventId}`}
      names={columns}
      cells={{
        reactor: ({ reactor }) => reactor,
        stream: ({ stream }) => <code>{stream}</code>,
        event: ({ eventId }) => <code>{eventId}</code>,
        reason: ({ reason }) => reason,
        action: (row) => (
          <RetryButton name={`${row.reactor} ${row.eventId}`} action={action} work={() => retry(row)} />
        ),
      }}
    />
  );
};

type RetryProps = Readonly<{ name: string; action: Action; work(): Promise<void> }>;

const RetryButton = ({ name, action, work }: RetryProps) => (
  <Button
    aria-label={say(own.retryOf, { name })}
    disabled={action.isRunning}
    onClick={() => void action.start(work)}
  >
    {own.retry}
  </Button>
);

type ParkedProps = Readonly<{
  events: ServiceLists['parked'];
  models: ServiceLists['projections'];
  /** Those that have not ended. */
  tasks: readonly Task[];
  onAsked(): void;
}>;

/**
 * Events that this release does not support, for a newer one to read; those that it can read by now wait for
 * a rebuild of the read models.
 */
export const Parked = ({ events, models, tasks, onAsked }: ParkedProps) => {
  const [isAsked, ask] = useState(false);
  const busy = tasks.flatMap(({ projections }) => projections);
  const names = (models.value?.data ?? []).map(({ name }) => name).filter((name) => !busy.includes(name));
  const { rebuild, rebuildOf } = texts.operations.readModels;
  const action = ({ reason, eventId }: ParkedEvent) =>
    reason === 'awaits-rebuild' && (
      <Button
        aria-label={say(rebuildOf, { name: eventId })}
        disabled={names.length === 0}
        onClick={() => ask(true)}
      >
        {rebuild}
      </Button>
    );
  return (
    <>
      <ListSection
        title={own.parked}
        resource={events}
        empty={own.noParked}
        keyOf={({ eventId }) => eventId}
        names={columns}
        cells={{ ...parkedFacts, action }}
      />
      {isAsked && <RebuildDialog names={names} onAsked={onAsked} onClose={() => ask(false)} />}
    </>
  );
};

const parkedFacts: Cells<ParkedEvent, keyof typeof columns> = {
  type: ({ type, version }) => say(own.typeOf, { type, version }),
  stream: ({ stream }) => <code>{stream}</code>,
  event: ({ eventId }) => <code>{eventId}</code>,
  reason: ({ reason }) => own.parkedReasons[reason],
};
