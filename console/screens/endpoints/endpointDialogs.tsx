import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { WebhookTestResult } from '../../../schemas/webhooks.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { choicesOf, SelectField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { TestOutcome } from '../../parts/testOutcome.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { type Endpoint, EndpointMark, eventsOf, type Made, PATH } from './endpoint.tsx';
import { EndpointForm } from './endpointForm.tsx';

const own = texts.endpoints;
const ONE = `${PATH}/{endpointId}` as const;

type Act = keyof typeof own.acts;
type EndpointProps = Readonly<{
  endpoint: Endpoint;
  /** With the secret, where it was given a new one. */
  onChanged(made: Made | null): void;
  onClose(): void;
}>;

/** An endpoint, and what can be done with it; each is asked for once. */
export const EndpointDialogs = (props: EndpointProps) => {
  const [act, choose] = useState<Act | 'change' | null>(null);
  if (act === null) return <EndpointDialog {...props} onChosen={choose} />;
  return act === 'change' ? <EndpointForm {...props} /> : <ActDialog {...props} act={act} />;
};

type ChoiceProps = EndpointProps & Readonly<{ onChosen(act: Act | 'change'): void }>;

const EndpointDialog = ({ endpoint, onChosen, onClose }: ChoiceProps) => {
  const { id, url, description, retrySchedule, status, previousSecretExpiresAt, createdAt } = endpoint;
  const acts = ['rotate', status === 'enabled' ? 'disable' : 'enable', 'delete'] as const;
  return (
    <Dialog title={own.one} onClose={onClose}>
      <Facts
        facts={[
          [own.url, url],
          [own.description, description],
          [own.events, eventsOf(endpoint)],
          [own.schedule, own.schedules[retrySchedule]],
          [own.status, <EndpointMark key="status" endpoint={endpoint} />],
          [own.formerUntil, previousSecretExpiresAt && <When at={previousSecretExpiresAt} exact />],
          [own.createdAt, <When key="created" at={createdAt} exact />],
          [own.identifier, <code key="id">{id}</code>],
        ]}
      />
      <p>
        <a href={hrefOf('/deliveries', { endpointId: id })}>{own.deliveries}</a>
      </p>
      {may('endpoints.manage') && (
        <Test id={id}>
          <Button onClick={() => onChosen('change')}>{own.changeAct}</Button>
          {acts.map((act) => (
            <Button key={act} onClick={() => onChosen(act)}>
              {own.acts[act].act}
            </Button>
          ))}
        </Test>
      )}
    </Dialog>
  );
};

type TestProps = Readonly<{ id: string; children: ComponentChildren }>;

/** A test beside the other acts, and how it was answered. */
const Test = ({ id, children }: TestProps) => {
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const { isRunning, problem, start } = useAction();
  const send = (): Promise<boolean> =>
    start(async () => {
      setResult(null);
      setResult(await api.post(`${ONE}/test`, { path: { endpointId: id } }));
    });
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      {result && <TestOutcome result={result} />}
      <div class="actions">
        <Button disabled={isRunning} onClick={send}>
          {isRunning ? texts.working : texts.deliveries.test.act}
        </Button>
        {children}
      </div>
    </>
  );
};

const ActDialog = ({ endpoint, act, onChanged, onClose }: EndpointProps & Readonly<{ act: Act }>) => {
  const [overlap, setOverlap] = useState('86400');
  const { title, text, act: button } = own.acts[act];
  const path = { endpointId: endpoint.id };
  const work = async (): Promise<void> => {
    if (act === 'rotate') {
      const body = { overlapSeconds: Number(overlap) };
      return onChanged(await api.post(`${ONE}/rotate-secret`, { path, body }));
    }
    await (act === 'delete' ? api.delete(ONE, { path }) : api.post(`${ONE}/${act}`, { path }));
    announce(own.acts[act].done);
    onChanged(null);
  };
  return (
    <ConfirmDialog title={title} act={button} danger={act === 'delete'} {...{ work, onClose }}>
      <p>{endpoint.url}</p>
      <p>{text}</p>
      {act === 'rotate' && (
        <SelectField
          label={own.overlap}
          value={overlap}
          options={choicesOf(own.overlaps)}
          onChange={setOverlap}
        />
      )}
    </ConfirmDialog>
  );
};
