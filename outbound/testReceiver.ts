import type { Attempt } from '../domain/webhookDelivery.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Sender, succeeded } from './send.ts';

/** How long the target of a test has for everything (webhook-tests-2). */
const TEST_MS = 5_000;

/** What came of a test: `checkedAt` is ISO 8601. */
type Tested = Attempt & Readonly<{ success: boolean; checkedAt: string }>;

/** Exactly these, and no signature: the test is of an address, not of a key. */
const HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'service-webhook/1.0' };

/**
 * Sends the test request of the contract (webhook-tests-1) to an address that passed the rules. Whatever the
 * target does is a result, and `error` names no address that its name led to.
 */
export const testReceiver =
  ({ sender, clock }: Readonly<{ sender: Sender; clock: Clock }>) =>
  async (url: string): Promise<Omit<Tested, 'durationMs'>> => {
    const body = JSON.stringify({ type: 'webhook.test', timestamp: clock.now().toISOString() });
    const attempt = await sender.send({ url, headers: HEADERS, body, timeoutMs: TEST_MS });
    const { statusCode, error } = attempt;
    return { success: succeeded(attempt), statusCode, error, checkedAt: clock.now().toISOString() };
  };
