import { useState } from 'preact/hooks';
import { send } from '../../app/api.ts';
import type { Problem } from '../../app/problem.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { eventTypes } from '../../parts/eventTypes.ts';
import { choicesOf, faultAt, SelectField, TextField } from '../../parts/formField.tsx';
import { texts } from '../../texts.ts';
import { type Endpoint, type Made, PATH } from './endpoint.tsx';

const own = texts.endpoints;

type FormProps = Readonly<{
  /** What is changed; without it one is made. */
  endpoint?: Endpoint;
  /** With the secret of a new one. */
  onChanged(made: Made | null): void;
  onClose(): void;
}>;

/** An endpoint as it is typed; no types are all. */
type Draft = Readonly<{
  url: string;
  description: string;
  types: readonly string[] | null;
  schedule: string;
}>;

const draftOf = (endpoint?: Endpoint): Draft => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  types: endpoint?.eventTypes ?? null,
  schedule: endpoint?.retrySchedule ?? 'standard',
});

/** Asks what is sent where, to make an endpoint or to change one. */
export const EndpointForm = ({ endpoint, onChanged, onClose }: FormProps) => {
  const [draft, setDraft] = useState(draftOf(endpoint));
  const work = async (): Promise<void> => {
    const { types, schedule: retrySchedule } = draft;
    const description = draft.description.trim();
    const body = {
      url: draft.url.trim(),
      ...(description && { description }),
      ...(types && { eventTypes: types }),
      retrySchedule,
    };
    const path = { endpointId: endpoint?.id ?? '' };
    if (endpoint) await send('put', `${PATH}/{endpointId}`, { path, body });
    onChanged(endpoint ? null : (await send<Made>('post', PATH, { body })).body);
  };
  return (
    <ConfirmDialog
      title={endpoint ? own.change : own.create}
      act={endpoint ? own.changeAct : own.createAct}
      isReady={draft.types?.length !== 0}
      {...{ work, onClose }}
    >
      {(problem) => <Fields draft={draft} problem={problem} onChange={setDraft} />}
    </ConfirmDialog>
  );
};

type FieldsProps = Readonly<{ draft: Draft; problem: Problem | null; onChange(draft: Draft): void }>;

const Fields = ({ draft, problem, onChange }: FieldsProps) => {
  const change = (members: Partial<Draft>): void => onChange({ ...draft, ...members });
  return (
    <>
      <TextField
        label={own.url}
        value={draft.url}
        onInput={(url) => change({ url })}
        hint={own.urlHint}
        fault={faultAt(problem, '/url')}
        required
        autofocus
      />
      <TextField
        label={own.descriptionField}
        value={draft.description}
        onInput={(description) => change({ description })}
        fault={faultAt(problem, '/description')}
      />
      <SelectField
        label={own.events}
        value={draft.types ? 'some' : 'all'}
        options={choicesOf({ all: own.all, some: own.some })}
        onChange={(value) => change({ types: value === 'all' ? null : [] })}
      />
      {draft.types && <Types chosen={draft.types} onChange={(types) => change({ types })} />}
      <SelectField
        label={own.schedule}
        value={draft.schedule}
        options={choicesOf(own.schedules)}
        hint={own.scheduleHint}
        onChange={(schedule) => change({ schedule })}
      />
    </>
  );
};

type TypesProps = Readonly<{ chosen: readonly string[]; onChange(chosen: readonly string[]): void }>;

const Types = ({ chosen, onChange }: TypesProps) => (
  <fieldset class="reasons">
    <legend>{own.some}</legend>
    {Object.keys(eventTypes).map((type) => {
      const others = chosen.filter((one) => one !== type);
      const isChosen = chosen.includes(type);
      return (
        <label key={type} class="check">
          <input
            type="checkbox"
            checked={isChosen}
            onChange={() => onChange(isChosen ? others : [...chosen, type])}
          />{' '}
          {type}
        </label>
      );
    })}
  </fieldset>
);
