import type { EndpointsOf } from '../commands/requestDelivery.ts';
import type { WebhookEndpointEvent } from '../domain/webhookEndpoint.ts';
import type { WebhookEventType } from '../domain/webhookEvents.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import type { Position, Recorded } from '../kernel/event.ts';
import { collect } from '../projections/engine/pages.ts';
import type { Progress } from '../projections/engine/progress.ts';
import { foldEvent } from '../projections/engine/projection.ts';
import {
  isSubscribed,
  type WebhookEndpointDocument,
  type webhookEndpointQueries,
  webhookEndpoints,
} from '../projections/webhookEndpoints.ts';

type RegistryPorts = Readonly<{
  endpoints: Pick<ReturnType<typeof webhookEndpointQueries>, 'list' | 'end'>;
  progress: Pick<Progress, 'reached'>;
}>;

/** How long a start waits for the read models. */
const BEHIND_MS = 10_000;

/**
 * The webhook endpoints in memory, so that no event costs a read of a store: read once, then kept by the
 * events of the log. Which of them get an event follows from its position alone (endpoints-7): a reader that
 * is behind, or starts from the origin, gives what it would have given then.
 */
export const endpointRegistry = ({ endpoints, progress }: RegistryPorts) => {
  /** By company and mode, then by endpoint. */
  let known = new Map<string, Map<string, WebhookEndpointDocument>>();
  const put = (scope: string, id: string, document: WebhookEndpointDocument | null): void => {
    const ofScope = known.get(scope) ?? new Map<string, WebhookEndpointDocument>();
    if (document) ofScope.set(id, document);
    else ofScope.delete(id);
    known.set(scope, ofScope);
  };
  // The others may be further: one of an older version stands still while it is rebuilt.
  const includes = async (position: Position): Promise<boolean> =>
    (await progress.reached(position, BEHIND_MS)) && ((await endpoints.end()) ?? '') >= position;
  return {
    /**
     * Reads all endpoints as of a position or later. Throws `StoreUnavailable` while the read models are
     * behind it.
     */
    load: async (position: Position | null): Promise<void> => {
      if (position !== null && !(await includes(position)))
        throw new StoreUnavailable('the read models are behind the log: webhooks wait for them');
      const { items } = await collect(endpoints.list);
      known = new Map();
      for (const item of items) put(scopeOf(item), item.id, item);
    },
    /** Takes one more event of an endpoint; one that it has had before changes nothing. */
    learn: (event: Recorded<WebhookEndpointEvent>): void => {
      const { endpointId: id } = event.data;
      const scope = scopeOf(event.data);
      const before = known.get(scope)?.get(id) ?? null;
      if (before && before.position >= event.position) return;
      put(scope, id, foldEvent(webhookEndpoints.on, before, event, id));
    },
    /** The endpoints that get an event of this company and mode. */
    of: ({ data, position }: Parameters<EndpointsOf>[0], eventType: WebhookEventType) => {
      const all = [...(known.get(scopeOf(data))?.values() ?? [])];
      return all.filter((one) => isSubscribed(one, eventType, position));
    },
  };
};

const scopeOf = ({ companyId, mode }: Readonly<{ companyId: string; mode: string }>): string =>
  `${companyId} ${mode}`;
