import type { CompanyFailingReceiver } from '../../../schemas/webhooks.ts';
import { useCompanies } from '../../app/companies.ts';
import { usePolled } from '../../app/polled.ts';
import { hrefOf } from '../../app/router.ts';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { PATH, SELDOM_MS } from './read.ts';
import { ListSection } from './section.tsx';

const own = texts.operations.failing;

/** Where webhook deliveries of any company have failed, each with the way to them. */
export const FailingReceivers = () => {
  const { value: companies } = useCompanies(null);
  const nameOf = (id: string): string => companies?.find((company) => company.id === id)?.name ?? id;
  return (
    <ListSection
      title={own.title}
      resource={usePolled(`${PATH}/failing-receivers`, SELDOM_MS, {})}
      empty={own.empty}
      keyOf={({ companyId, mode, receiver }) => `${companyId} ${mode} ${receiver}`}
      names={{
        receiver: texts.deliveries.columns.receiver,
        company: texts.company.one,
        ...own.columns,
        since: texts.operations.parts.columns.since,
      }}
      cells={{
        receiver: (row) => <a href={hrefTo(row)}>{row.receiver}</a>,
        company: ({ companyId, mode }) => (
          <>
            {nameOf(companyId)} {mode === 'test' && <small>{texts.mode.test}</small>}
          </>
        ),
        count: ({ count }) => count,
        since: ({ since }) => <When at={since} />,
      }}
    />
  );
};

const hrefTo = ({ companyId, mode, receiver }: CompanyFailingReceiver): string =>
  hrefOf('/deliveries', {
    ...{ company: companyId, mode: mode === 'test' ? mode : null },
    ...{ status: 'failed', receiver },
  });
