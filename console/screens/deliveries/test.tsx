import { useState } from 'preact/hooks';
import type { WebhookTestResult } from '../../../schemas/webhooks.ts';
import { call } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { faultAt, TextField } from '../../parts/formField.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.deliveries.test;

/** Sends a test request to an address, and shows how it was answered. */
export const TestDialog = ({ onClose }: Readonly<{ onClose(): void }>) => {
  const [webhookUrl, setUrl] = useState('');
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const { isRunning, problem, start } = useAction();
  const submit = async (): Promise<void> => {
    setResult(null);
    await start(async () => {
      const options = { body: { webhookUrl: webhookUrl.trim() } } as const;
      setResult((await call<WebhookTestResult>('/api/v1/webhooks/test', options)).body);
    });
  };
  return (
    <Dialog title={own.title} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>{own.text}</p>
        <TextField
          label={own.url}
          value={webhookUrl}
          onInput={setUrl}
          fault={faultAt(problem, '/webhookUrl')}
          required
          autofocus
        />
        {problem && <ProblemNotice problem={problem} />}
        {result && <Outcome result={result} />}
        <div class="actions">
          <Button onClick={onClose}>{texts.close}</Button>
          <Submit isRunning={isRunning}>{own.act}</Submit>
        </div>
      </Form>
    </Dialog>
  );
};

const Outcome = ({ result: { success, statusCode, error } }: Readonly<{ result: WebhookTestResult }>) => (
  <Notice kind={success ? 'good' : 'bad'}>
    {success ? say(own.good, { status: statusCode ?? '' }) : say(own.bad, { error: error ?? '' })}
  </Notice>
);
