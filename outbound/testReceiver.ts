import type { Attempt } from '../domain/webhookDeliveryEvents.ts';
import { TEST_EVENT_TYPE, testEnvelope } from '../domain/webhookEvents.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EndpointSecrets } from '../stores/endpointSecrets.ts';
import { type Outgoing, type Sender, succeeded } from './send.ts';
import { deliveryHeaders } from './sign.ts';

/** How long the target of a test has for everything (webhook-tests-2). */
const TEST_MS = 5_000;

/** What came of a test: `checkedAt` is ISO 8601. */
type Tested = Attempt & Readonly<{ success: boolean; checkedAt: string }>;

type TestPorts = Readonly<{ sender: Sender; clock: Clock }>;

/** Exactly these, and no signature: the test is of an address, not of a key. */
const HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'service-webhook/1.0' };

/**
 * Sends the test request of the contract (webhook-tests-1) to an address that passed the rules. Whatever the
 * target does is a result, and `error` names no address that its name led to.
 */
export const testReceiver =
  ({ sender, clock }: TestPorts) =>
  (url: string): Promise<Omit<Tested, 'durationMs'>> => {
    const body = JSON.stringify({ type: TEST_EVENT_TYPE, timestamp: clock.now().toISOString() });
    return tested({ sender, clock }, { url, headers: HEADERS, body });
  };

/** Sends an endpoint a test that is signed as its webhooks are (endpoints-14); likewise. */
export const testEndpoint =
  ({ sender, clock, secrets }: TestPorts & Readonly<{ secrets: Pick<EndpointSecrets, 'validAt'> }>) =>
  async (
    { id, url }: Readonly<{ id: string; url: string }>,
    eventId: string,
  ): Promise<Omit<Tested, 'durationMs'>> => {
    const at = clock.now();
    const [newest, ...former] = await secrets.validAt(id, at.toISOString());
    if (newest === undefined) return { ...NO_SECRET, checkedAt: at.toISOString() };
    const body = JSON.stringify(testEnvelope(eventId, at.toISOString()));
    const headers = deliveryHeaders({ eventId, eventType: TEST_EVENT_TYPE, body, at }, [newest, ...former]);
    return tested({ sender, clock }, { url, headers, body });
  };

const NO_SECRET = {
  success: false,
  statusCode: null,
  error: 'the endpoint has no secret: its rotation makes one',
};

const tested = async (
  { sender, clock }: TestPorts,
  request: Pick<Outgoing, 'url' | 'headers' | 'body'>,
): Promise<Omit<Tested, 'durationMs'>> => {
  const attempt = await sender.send({ ...request, timeoutMs: TEST_MS });
  const { statusCode, error } = attempt;
  return { success: succeeded(attempt), statusCode, error, checkedAt: clock.now().toISOString() };
};
