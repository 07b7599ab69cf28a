import type { WorkflowDefinition } from '../../../schemas/workflowDefinition.ts';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { say, texts } from '../../texts.ts';
import { type Field, fieldLines, nameOf, paired, ruleLines } from './lines.ts';

const own = texts.workflows;

type Shown = Readonly<{ version: number; definition: WorkflowDefinition }>;
type ViewProps = Readonly<{ shown: Shown; other: Shown | null }>;

/** A version as people see it; with another one, both beside each other, and what differs marked. */
export const DefinitionView = ({ shown, other }: ViewProps) => (
  <>
    <h2>{own.fields}</h2>
    <ScrollRegion label={own.fields}>
      {other ? (
        <ComparedFields shown={shown} other={other} />
      ) : (
        <Fields fields={shown.definition.outputSchema} />
      )}
    </ScrollRegion>
    <h2>{own.rulesTitle}</h2>
    <ScrollRegion label={own.rulesTitle}>
      <Compared
        first={own.rule}
        shown={shown}
        other={other}
        rows={paired(other ? ruleLines(other.definition) : [], ruleLines(shown.definition))}
      />
    </ScrollRegion>
  </>
);

const Fields = ({ fields }: Readonly<{ fields: readonly Field[] }>) => (
  <table>
    <Head names={own.fieldColumns} />
    <tbody>
      {fields.map((field) => (
        <tr key={field.name}>
          <th scope="row">
            {nameOf(field)} <small>{field.name}</small>
          </th>
          <td>{own.words[field.type]}</td>
          <td>{field.required ? own.required : own.optional}</td>
          <td>{field.description ?? '–'}</td>
          <td>
            {fieldLines(field)
              .filter(({ key }) => key.startsWith('field.validation.'))
              .map(({ key, label, text }) => (
                <div key={key}>
                  {label} <code>{text}</code>
                </div>
              ))}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const ComparedFields = ({ shown, other }: Readonly<{ shown: Shown; other: Shown }>) => {
  const all = [...shown.definition.outputSchema, ...other.definition.outputSchema];
  const textOf = (field: Field | undefined): string | null =>
    field
      ? fieldLines(field)
          .map(({ label, text }) => `${label}: ${text}`)
          .join('; ')
      : null;
  const rows = [...new Set(all.map(({ name }) => name))].map((name) => {
    const [before, after] = [other, shown].map(({ definition }) =>
      definition.outputSchema.find((field) => field.name === name),
    );
    return {
      key: name,
      label: nameOf((after ?? before) as Field),
      before: textOf(before),
      after: textOf(after),
    };
  });
  return <Compared first={own.field} shown={shown} other={other} rows={rows} />;
};

const Head = ({ names }: Readonly<{ names: readonly string[] }>) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

type ComparedProps = Readonly<{
  first: string;
  shown: Shown;
  other: Shown | null;
  rows: ReturnType<typeof paired>;
}>;

/** Rows of two versions: what is the same is folded away. */
const Compared = ({ rows, ...props }: ComparedProps) => {
  if (!props.other) return <Rows {...props} rows={rows} />;
  const [same, others] = [true, false].map((wanted) =>
    rows.filter(({ before, after }) => (before === after) === wanted),
  ) as [typeof rows, typeof rows];
  return (
    <>
      {others.length > 0 && <Rows {...props} rows={others} />}
      {same.length > 0 && (
        <details>
          <summary>{say(own.same, { count: same.length })}</summary>
          <Rows {...props} rows={same} />
        </details>
      )}
    </>
  );
};

const Rows = ({ first, shown, other, rows }: ComparedProps) => {
  const kindOf = ({ before, after }: (typeof rows)[number]) =>
    before === after ? 'same' : before === null ? 'added' : after === null ? 'removed' : 'changed';
  const versions = [other, shown].flatMap((one) => (one ? say(own.version, { version: one.version }) : []));
  return (
    <table class="compared">
      <Head names={[first, ...versions, ...(other ? [own.difference] : [])]} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} class={other && row.before !== row.after ? 'different' : ''}>
            <th scope="row">{row.label}</th>
            {other && <td>{row.before ?? '–'}</td>}
            <td>{row.after ?? '–'}</td>
            {other && <td>{own.kinds[kindOf(row)]}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
};
