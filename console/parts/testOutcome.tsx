import type { WebhookTestResult } from '../../schemas/webhooks.ts';
import { say, texts } from '../texts.ts';
import { Notice } from './notice.tsx';

const own = texts.deliveries.test;

type OutcomeProps = Readonly<{ result: WebhookTestResult }>;

/** How a test webhook was answered. */
export const TestOutcome = ({ result: { success, statusCode, error } }: OutcomeProps) => (
  <Notice kind={success ? 'good' : 'bad'}>
    {success ? say(own.good, { status: statusCode ?? '' }) : say(own.bad, { error: error ?? '' })}
  </Notice>
);
