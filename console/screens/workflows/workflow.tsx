import type { PublishedDefinition, WorkflowVersionHead } from '../../../schemas/workflowDefinitions.ts';
import { scopeOf } from '../../app/companies.ts';
import { useKeys } from '../../app/keys.ts';
import { type Pages, usePages } from '../../app/pages.ts';
import { useNames } from '../../app/people.ts';
import { type Resource, useRead } from '../../app/resource.ts';
import { changeQuery, encoded, hrefOf, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { SelectField } from '../../parts/formField.tsx';
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { Screen } from '../../parts/screen.tsx';
import { whole } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { Changes } from './changes.tsx';
import { Companies } from './companies.tsx';
import { CompanySettings } from './companySettings.tsx';
import { DefinitionView } from './definitionView.tsx';
import { Evaluate } from './evaluate.tsx';
import { PATH } from './path.ts';

const own = texts.workflows;
const VERSIONS = `${PATH}/{slug}/versions` as const;

/** A version with its definition; null reads nothing. */
const useVersion = (slug: string, version: number | null): Resource<PublishedDefinition> =>
  useRead(version === null ? null : `${VERSIONS}/{version}`, { path: { slug, version: version ?? 0 } });

/** A workflow: its versions, what one of them says, and what it changed of another. */
const Workflow = ({ parameters: { slug = '' }, query, me }: ScreenProps) => {
  const versions = usePages(VERSIONS, { path: { slug } });
  const newest = versions.rows[0]?.version ?? null;
  const version = Number(query.get('version')) || newest;
  const against = query.get('against') ?? (version && version > 1 ? String(version - 1) : '');
  const shown = useVersion(slug, version);
  const other = useVersion(slug, against === '' || against === 'none' ? null : Number(against));
  const mayPublish = me.permissions.includes('workflows.manage');
  const edit = hrefOf(encoded`/workflows/${slug}/edit`, { company: null, version });
  useKeys(mayPublish ? [{ key: 'e', text: own.edit, run: () => navigate(edit) }] : []);
  const company = me.permissions.includes('workflows.adjust') ? scopeOf({ me, query }) : null;
  const problem = versions.problem ?? shown.problem ?? other.problem;
  return (
    <Screen
      title={shown.value?.definition.name ?? versions.rows[0]?.name ?? slug}
      actions={
        <>
          {version !== null && <Evaluate candidate={() => ({ workflow: { slug, version } })} />}
          {mayPublish && (
            <a class="button" href={edit}>
              {own.edit}
            </a>
          )}
        </>
      }
    >
      {problem && <ProblemNotice problem={problem} retry={versions.reload} />}
      {!problem && !shown.value && <Skeleton />}
      {version !== null && versions.rows.length > 0 && (
        <Choice versions={versions} version={version} against={against} />
      )}
      {shown.value && other.value && (
        <>
          <h2>{say(own.changesOf, { before: other.value.version, after: shown.value.version })}</h2>
          <Changes before={other.value.definition} after={shown.value.definition} />
        </>
      )}
      {shown.value && <DefinitionView shown={shown.value} other={other.value} />}
      {company !== null && shown.value && (
        <CompanySettings companyId={company} definition={shown.value.definition} />
      )}
      {mayPublish && <Companies slug={slug} />}
    </Screen>
  );
};
export default Workflow;

type ChoiceProps = Readonly<{
  versions: Pages<WorkflowVersionHead>;
  version: number;
  against: string;
}>;

/** Which version is shown, and beside which other. */
const Choice = ({ versions: { rows, hasMore, more }, version, against }: ChoiceProps) => {
  const nameOf = useNames(rows.flatMap(({ publishedBy: by }) => (by?.kind === 'user' ? by.id : [])));
  const options = rows.map(({ version: value, publishedAt, publishedBy: by }) => {
    const who = by === null ? '' : by.kind === 'user' ? nameOf(by.id) : own.operator;
    return {
      value: String(value),
      text: say(who === '' ? own.versionAt : own.versionBy, { version: value, at: whole(publishedAt), who }),
    };
  });
  return (
    <div class="filters wide">
      <SelectField
        label={own.shown}
        value={String(version)}
        options={options}
        onChange={(value) => changeQuery({ version: value, against: null })}
      />
      <SelectField
        label={own.against}
        value={against === '' ? 'none' : against}
        options={[
          { value: 'none', text: own.alone },
          ...options.filter(({ value }) => value !== String(version)),
        ]}
        onChange={(value) => changeQuery({ against: value })}
      />
      {hasMore && (
        <button type="button" onClick={more}>
          {own.older}
        </button>
      )}
    </div>
  );
};
