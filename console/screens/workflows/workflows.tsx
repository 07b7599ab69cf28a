import type { WorkflowHead } from '../../../schemas/workflowDefinitions.ts';
import { useKeys } from '../../app/keys.ts';
import { usePages } from '../../app/pages.ts';
import { hrefOf, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { PATH } from './path.ts';

const own = texts.workflows;
const NEW = '/new-workflow';

const columns: readonly Column<WorkflowHead>[] = [
  {
    text: own.columns.name,
    share: 4,
    cell: ({ slug, name }) => <a href={hrefOf(`/workflows/${slug}`)}>{name}</a>,
  },
  { text: own.columns.slug, share: 3, cell: ({ slug }) => <code>{slug}</code> },
  { text: own.columns.version, share: 2, cell: ({ version }) => version },
  { text: own.columns.published, share: 3, cell: ({ publishedAt }) => <When at={publishedAt} /> },
];

const counted: readonly Column<WorkflowHead>[] = [
  ...columns,
  { text: own.columns.companies, share: 2, cell: ({ companies }) => companies },
];

/** The workflows of the company; of the platform for those who have no company and named none. */
const Workflows = ({ me, query }: ScreenProps) => {
  const pages = usePages(PATH, {});
  const isOfAll = me.company === null && !query.has('company');
  const mayPublish = me.permissions.includes('workflows.manage');
  useKeys(mayPublish ? [{ key: 'n', text: own.new, run: () => navigate(hrefOf(NEW)) }] : []);
  return (
    <Screen
      title={own.title}
      actions={
        mayPublish && (
          <a class="button" href={hrefOf(NEW, { company: null })}>
            {own.new}
          </a>
        )
      }
    >
      <Table
        label={own.title}
        columns={isOfAll ? counted : columns}
        pages={pages}
        keyOf={({ slug }) => slug}
        empty={mayPublish ? own.emptyOfAll : own.empty}
      />
    </Screen>
  );
};
export default Workflows;
