import { useState } from 'preact/hooks';
import type { Answer } from '../../../client/answer.ts';
import type { CompanyWorkflow } from '../../../client/api.ts';
import type { PublishedDefinition } from '../../../schemas/workflowDefinitions.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { member } from '../../app/members.ts';
import { useAction, useResource } from '../../app/resource.ts';
import { forgetLabels } from '../../app/workflowLabels.ts';
import { Form, Submit } from '../../parts/form.tsx';
import { choicesOf, faultAt, SelectField } from '../../parts/formField.tsx';
import { ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { say, texts } from '../../texts.ts';
import { asRecord } from './faults.tsx';
import { numberIn, Typed } from './form/setting.tsx';
import { nameOf } from './lines.ts';
import { TrialOf } from './trialOf.tsx';

const own = texts.workflows.company;
const { auto, always } = texts.workflows.words;
const PATH = '/api/v1/companies/{companyId}/workflows/{slug}';

type Definition = PublishedDefinition['definition'];

type SettingsProps = Readonly<{ companyId: string; definition: Definition }>;

/** What a company sets of a workflow for itself; all else is as it was published. */
export const CompanySettings = ({ companyId, definition }: SettingsProps) => {
  const { slug } = definition;
  const path = { companyId, slug };
  const read = useResource(`${companyId} ${slug}`, (signal) => api.request('get', PATH, { path, signal }));
  const [saved, setSaved] = useState<Answer<CompanyWorkflow> | null>(null);
  const shown = saved ?? read.value;
  const save = async (body: object): Promise<void> => {
    // What this page shows is changed, and nothing that came between.
    setSaved(await api.request('put', PATH, { path, body, ifMatch: shown?.etag ?? null }));
    forgetLabels();
    announce(own.saved);
  };
  return (
    <section class="part" aria-label={own.title}>
      <h2>{own.title}</h2>
      <p>{own.text}</p>
      {read.problem && <ProblemNotice problem={read.problem} retry={read.reload} />}
      {shown ? <SettingsForm settings={shown.body} definition={definition} save={save} /> : <Skeleton />}
    </section>
  );
};

type Draft = Readonly<{
  labels: Readonly<Record<string, unknown>>;
  fieldsBelow: Readonly<Record<string, unknown>>;
  reviewBelow: unknown;
  review: string;
}>;

type FormProps = Readonly<{
  settings: CompanyWorkflow;
  definition: Definition;
  save(body: object): Promise<void>;
}>;

const SettingsForm = ({ settings, definition, save }: FormProps) => {
  const [draft, setDraft] = useState<Draft>({
    ...settings,
    review: settings.review ?? '',
    reviewBelow: settings.reviewBelow ?? undefined,
  });
  const { isRunning, problem, start } = useAction();
  const submit = (): void => {
    void start(() => save(draft));
  };
  const put = (member: 'labels' | 'fieldsBelow', name: string, value: unknown): void => {
    const { [name]: _, ...others } = draft[member];
    setDraft({ ...draft, [member]: value === undefined ? others : { ...others, [name]: value } });
  };
  return (
    <>
      <Form onSubmit={submit}>
        <div class="filters">
          <SelectField
            label={texts.workflows.rules['processing.review']}
            value={draft.review}
            options={[{ value: '', text: own.asPublished }, ...choicesOf({ auto, always })]}
            onChange={(review) => setDraft({ ...draft, review })}
          />
          <Typed
            label={texts.workflows.rules['processing.reviewBelow']}
            fault={faultAt(problem, '/reviewBelow')}
            value={draft.reviewBelow}
            read={numberIn}
            onInput={(reviewBelow) => setDraft({ ...draft, reviewBelow })}
          />
        </div>
        <ScrollRegion label={own.fields}>
          <table>
            <thead>
              <tr>
                {own.columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {definition.outputSchema.map((field) => (
                <tr key={field.name}>
                  <th scope="row">
                    {nameOf(field)} <small>{field.name}</small>
                  </th>
                  <td>
                    <Typed
                      label={say(own.labelOf, { name: nameOf(field) })}
                      fault={faultAt(problem, `/labels/${field.name}`)}
                      value={member(draft.labels, field.name)}
                      read={(text) => (text === '' ? undefined : text)}
                      onInput={(value) => put('labels', field.name, value)}
                    />
                  </td>
                  <td>
                    <Typed
                      label={say(own.belowOf, { name: nameOf(field) })}
                      fault={faultAt(problem, `/fieldsBelow/${field.name}`)}
                      value={member(draft.fieldsBelow, field.name)}
                      read={numberIn}
                      onInput={(value) => put('fieldsBelow', field.name, value)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        {problem && !problem.errors?.length && <ProblemNotice problem={problem} />}
        <div class="actions">
          <Submit isRunning={isRunning}>{own.save}</Submit>
        </div>
      </Form>
      <TrialOf
        hint={own.tryHint}
        current={() => ({ definition: asRecord(definition), settings: draft, labels: draft.labels })}
      />
    </>
  );
};
