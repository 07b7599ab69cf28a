import { useState } from 'preact/hooks';
import type { Delivery } from '../../../schemas/webhooks.ts';
import { usePages } from '../../app/pages.ts';
import { hrefOf, type Query } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { Button } from '../../parts/button.tsx';
import { eventTypes } from '../../parts/eventTypes.ts';
import {
  ChoiceFilter,
  type Controls,
  FilterBar,
  filtersIn,
  TimeFilter,
  TypedFilter,
} from '../../parts/filters.tsx';
import { Reload } from '../../parts/reload.tsx';
import { SaveList } from '../../parts/saveList.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { Failing } from './failing.tsx';
import { DeliveryMark, PATH } from './resend.tsx';
import { SendDialog } from './send.tsx';
import { TestDialog } from './test.tsx';

const own = texts.deliveries;
const { columns: names } = own;

const controls: Controls<typeof PATH> = {
  status: (filter) => <ChoiceFilter label={names.status} words={own.statuses} {...filter} />,
  eventType: (filter) => <ChoiceFilter label={names.event} words={eventTypes} {...filter} />,
  sessionId: (filter) => <TypedFilter label={names.session} {...filter} />,
  submissionId: null,
  receiver: (filter) => <TypedFilter label={names.receiver} {...filter} />,
  keyId: (filter) => <TypedFilter label={names.key} {...filter} />,
  endpointId: (filter) => <TypedFilter label={names.endpoint} {...filter} />,
  createdAfter: (filter) => <TimeFilter label={texts.filters.after} {...filter} />,
  createdBefore: (filter) => <TimeFilter label={texts.filters.before} {...filter} />,
};

const columns: readonly Column<Delivery>[] = [
  {
    text: names.event,
    share: 4,
    cell: ({ id, eventType }) => <a href={hrefOf(`/deliveries/${id}`)}>{eventType}</a>,
  },
  { text: names.status, share: 2, cell: (row) => <DeliveryMark status={row.status} /> },
  { text: names.receiver, share: 4, cell: ({ receiver }) => receiver ?? '–' },
  { text: names.session, share: 4, cell: ({ sessionId }) => sessionId ?? '–' },
  { text: names.created, share: 3, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    text: names.next,
    share: 3,
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : <When at={nextAttemptAt} />),
  },
];

/** The company's webhook deliveries, newest first. */
const Deliveries = ({ query, me }: ScreenProps) => {
  const filters = filtersIn(controls, query);
  const pages = usePages(PATH, { query: filters });
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = (): void => setDialog(null);
  return (
    <Screen
      title={own.title}
      actions={<Actions {...{ me, filters }} reload={pages.reload} choose={setDialog} />}
    >
      <Failing {...{ me }} onSent={pages.reload} />
      <FilterBar {...{ controls, query }} />
      <Table label={own.title} columns={columns} pages={pages} keyOf={({ id }) => id} empty={own.empty} />
      {(dialog === 'range' || dialog === 'recover') && (
        <SendDialog kind={dialog} filters={filters} onClose={close} onSent={pages.reload} />
      )}
      {dialog === 'test' && <TestDialog onClose={close} />}
    </Screen>
  );
};
export default Deliveries;

type DialogName = 'range' | 'recover' | 'test';
type ActionProps = Readonly<{
  me: ScreenProps['me'];
  filters: Query;
  reload(): void;
  choose(name: DialogName): void;
}>;

const Actions = ({ me: { permissions }, filters, reload, choose }: ActionProps) => {
  const sending = permissions.includes('deliveries.send') ? (['range', 'recover'] as const) : [];
  const testing = permissions.includes('webhooks.test') ? (['test'] as const) : [];
  return (
    <>
      <SaveList path={PATH} query={filters} />
      <Reload text={texts.submissions.refresh} run={reload} />
      {[...sending, ...testing].map((name) => (
        <Button key={name} onClick={() => choose(name)}>
          {own[name].title}
        </Button>
      ))}
    </>
  );
};
