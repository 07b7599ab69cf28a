import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { endDeliveries } from '../../reactors/endDeliveries.ts';
import { examples, logged } from '../controls/events.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('deliveries to an endpoint that is closed end');
const closing = logged([examples.WebhookEndpointDisabled, examples.WebhookEndpointDeleted]);
const unaborted = new AbortController().signal;

/** The reactor, and what it was asked: how far the read models are, then to give up. */
const reactorOn = (isReached: boolean) => {
  const asked: string[] = [];
  const reached = async (position: string): Promise<boolean> => {
    asked.push(position);
    return isReached;
  };
  const giveUp = async ({ type }: { type: string }): Promise<void> => void asked.push(type);
  return { asked, reactor: endDeliveries(giveUp, { reached }) };
};

test('once the read models include the end of the endpoint [endpoints-13]', async () => {
  const { asked, reactor } = reactorOn(true);
  assert.equal(
    [...reactor.handles],
    closing.map(({ type }) => type),
  );
  for (const event of closing) await reactor.react(event as Parameters<typeof reactor.react>[0], unaborted);
  assert.equal(
    asked,
    closing.flatMap(({ position, type }) => [position, type]),
  );
});

test('while these are behind it is tried again: a delivery that they don’t show yet would be missed', async () => {
  const { asked, reactor } = reactorOn(false);
  const [event] = closing as readonly Parameters<typeof reactor.react>[0][];
  assert.ok(event);
  assert.instance(await failure(reactor.react(event, unaborted)), StoreUnavailable);
  assert.equal(asked, [event.position]);
});
