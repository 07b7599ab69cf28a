import { useState } from 'preact/hooks';
import type { RequestEvaluation } from '../../../client/api.ts';
import { api, scopeNow } from '../../app/api.ts';
import { useCompanies } from '../../app/companies.ts';
import { encoded, given, hrefOf, navigate, place } from '../../app/router.ts';
import { me } from '../../app/session.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { TimeField } from '../../parts/filters.tsx';
import { choicesOf, FormField, faultAt, SelectField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { texts } from '../../texts.ts';

const own = texts.evaluations.request;
const { anybody, person } = texts.workflows.words;

/** A published version, or a draft. */
export type Candidate = Pick<RequestEvaluation, 'workflow' | 'definition'>;

type Draft = Readonly<{
  company: string;
  kind: keyof typeof own.kinds;
  createdAfter: string;
  approvedBy: string;
  size: string;
  seed: string;
  /** In percent. */
  share: string;
  wrong: string;
}>;

const NEW: Omit<Draft, 'company'> = {
  ...{ kind: 'past', createdAfter: '', approvedBy: 'anybody' },
  ...{ size: '300', seed: '1', share: '100', wrong: '1' },
};

const bodyOf = (candidate: Candidate, draft: Draft): RequestEvaluation => {
  const { kind, createdAfter, approvedBy, size, seed, share } = draft;
  const isShadow = kind === 'shadow';
  return {
    ...candidate,
    set: {
      approvedBy: approvedBy === 'person' ? 'person' : 'anybody',
      ...{ size: Number(size), seed: Number(seed) },
      ...(!isShadow && given({ createdAfter })),
    },
    ...(isShadow && { shadow: { share: Number(share) / 100 } }),
  };
};

type RequestProps = Readonly<{ candidate: Candidate; onClose(): void }>;

/** Asks what a candidate is tried on, requests it, and opens its report. */
export const RequestDialog = ({ candidate, onClose }: RequestProps) => {
  const scope = me()?.company?.id ?? place.get().query.get('company');
  const companies = useCompanies(scope);
  const [draft, setDraft] = useState<Draft>({ ...NEW, company: scope ?? '' });
  const put = (members: Partial<Draft>): void => setDraft({ ...draft, ...members });
  const work = async (): Promise<void> => {
    const { company, wrong } = draft;
    const body = bodyOf(candidate, draft);
    const headers = { ...scopeNow(), ...(scope === null && { 'Intake-Company': company }) };
    const { evaluationId } = await api.post('/api/v1/evaluations', { body, headers });
    navigate(hrefOf(encoded`/evaluations/${evaluationId}`, { ...(scope === null && { company }), wrong }));
  };
  return (
    <ConfirmDialog
      title={own.title}
      act={own.start}
      isReady={draft.company !== ''}
      work={work}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>{own.text}</p>
          {companies.problem && <ProblemNotice problem={companies.problem} retry={companies.reload} />}
          {scope === null && (
            <SelectField
              label={texts.company.one}
              value={draft.company}
              options={[
                { value: '', text: texts.company.choose },
                ...(companies.value ?? []).map(({ id, name }) => ({ value: id, text: name })),
              ]}
              onChange={(company) => put({ company })}
            />
          )}
          <SelectField
            label={own.which}
            value={draft.kind}
            options={choicesOf(own.kinds)}
            onChange={(kind) => put({ kind: kind === 'shadow' ? kind : 'past' })}
          />
          {draft.kind === 'past' ? (
            <TimeField
              label={own.since}
              value={draft.createdAfter}
              onChange={(createdAfter) => put({ createdAfter })}
            />
          ) : (
            <NumberField
              {...{ label: own.share, value: draft.share, max: 100, step: 'any' }}
              fault={faultAt(problem, '/shadow/share')}
              onInput={(share) => put({ share })}
            />
          )}
          <SelectField
            label={own.approvedBy}
            value={draft.approvedBy}
            options={choicesOf({ anybody, person })}
            onChange={(approvedBy) => put({ approvedBy })}
          />
          <NumberField
            {...{ label: own.size, value: draft.size, min: 1, max: 1_000 }}
            fault={faultAt(problem, '/set/size')}
            onInput={(size) => put({ size })}
          />
          <NumberField
            {...{ label: own.seed, value: draft.seed, hint: own.seedHint }}
            fault={faultAt(problem, '/set/seed')}
            onInput={(seed) => put({ seed })}
          />
          <NumberField
            {...{ label: texts.evaluations.wrong, value: draft.wrong, min: 0.01, max: 50, step: 'any' }}
            onInput={(wrong) => put({ wrong })}
          />
        </>
      )}
    </ConfirmDialog>
  );
};

type NumberProps = Readonly<{
  label: string;
  value: string;
  onInput(value: string): void;
  hint?: string;
  fault?: string | null;
  min?: number;
  max?: number;
  step?: 'any';
}>;

const NumberField = ({ label, hint, fault = null, onInput, min = 0, ...input }: NumberProps) => (
  <FormField label={label} hint={hint} fault={fault}>
    {(control) => (
      <input
        {...{ ...control, ...input, min }}
        type="number"
        required
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  </FormField>
);
