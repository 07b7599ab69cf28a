import { useState } from 'preact/hooks';
import type { WebhookTestResult } from '../../../schemas/webhooks.ts';
import { api } from '../../app/api.ts';
import { useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { faultAt, TextField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { TestOutcome } from '../../parts/testOutcome.tsx';
import { texts } from '../../texts.ts';

const own = texts.deliveries.test;

/** Sends a test request to an address, and shows how it was answered. */
export const TestDialog = ({ onClose }: Readonly<{ onClose(): void }>) => {
  const [webhookUrl, setUrl] = useState('');
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const { isRunning, problem, start } = useAction();
  const submit = async (): Promise<void> => {
    setResult(null);
    await start(async () => {
      const body = { webhookUrl: webhookUrl.trim() };
      setResult(await api.post('/api/v1/webhooks/test', { body }));
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
        {result && <TestOutcome result={result} />}
        <div class="actions">
          <Button onClick={onClose}>{texts.close}</Button>
          <Submit isRunning={isRunning}>{own.act}</Submit>
        </div>
      </Form>
    </Dialog>
  );
};
