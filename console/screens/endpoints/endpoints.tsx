import { useState } from 'preact/hooks';
import { useKeys } from '../../app/keys.ts';
import { usePages } from '../../app/pages.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { type Endpoint, EndpointMark, eventsOf, type Made, PATH, SecretOfEndpoint } from './endpoint.tsx';
import { EndpointDialogs } from './endpointDialogs.tsx';
import { EndpointForm } from './endpointForm.tsx';

const own = texts.endpoints;

/** The webhook endpoints of a company: made, changed, tested, switched and deleted here. */
const Endpoints = () => {
  const pages = usePages(PATH, {});
  const [isNew, setNew] = useState(false);
  const [opened, open] = useState<Endpoint | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const onChanged = (secret: Made | null): void => {
    setMade(secret);
    pages.reload();
  };
  const mayMake = may('endpoints.manage');
  const make = (): void => setNew(true);
  useKeys(mayMake ? [{ key: 'n', text: own.create, run: make }] : []);
  const create = mayMake && (
    <Button class="primary" onClick={make}>
      {own.create}
    </Button>
  );
  return (
    <Screen title={own.title} actions={create}>
      <Table
        label={own.title}
        columns={columnsOf(open)}
        pages={pages}
        keyOf={({ id }) => id}
        empty={own.empty}
      />
      {opened && <EndpointDialogs endpoint={opened} onChanged={onChanged} onClose={() => open(null)} />}
      {isNew && <EndpointForm onChanged={onChanged} onClose={() => setNew(false)} />}
      {made && <SecretOfEndpoint made={made} onClose={() => setMade(null)} />}
    </Screen>
  );
};
export default Endpoints;

const columnsOf = (open: (endpoint: Endpoint) => void): readonly Column<Endpoint>[] => [
  {
    text: own.url,
    share: 5,
    cell: (endpoint) => (
      <Button class="link" onClick={() => open(endpoint)}>
        {endpoint.url}
      </Button>
    ),
  },
  { text: own.description, share: 3, cell: ({ description }) => description },
  { text: own.events, share: 4, cell: eventsOf },
  { text: own.schedule, share: 2, cell: ({ retrySchedule }) => own.schedules[retrySchedule] },
  { text: own.status, share: 6, cell: (endpoint) => <EndpointMark endpoint={endpoint} /> },
  { text: own.createdAt, share: 3, cell: ({ createdAt }) => <When at={createdAt} /> },
];
