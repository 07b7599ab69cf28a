import {
  type EndpointOptions,
  MAX_ENDPOINTS,
  type WebhookEndpoint,
  webhookEndpoint,
  webhookEndpointStream,
} from '../domain/webhookEndpoint.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { EndpointSecrets } from '../stores/endpointSecrets.ts';
import { type CommandPorts, type Context, systemContext } from './handle.ts';

type EndpointPorts = CommandPorts &
  Readonly<{
    secrets: EndpointSecrets;
    /** How many endpoints a company has in a mode; `max` means so many or more. */
    count(companyId: string, mode: Mode, max: number): Promise<number>;
    /** How many of those that are there were made before a position of the log. */
    madeBefore(companyId: string, mode: Mode, position: Position): Promise<number>;
  }>;

type NewEndpoint = EndpointOptions & Readonly<{ companyId: string; mode: Mode }>;

/** `at` is when it was decided (ISO 8601). */
type Done = Readonly<{ state: WebhookEndpoint | null; at: string; position: Position }>;
/** The secret is shown once. */
type Given = Done & Readonly<{ secret: string }>;

/** The commands on webhook endpoints. Those on one that is not there throw `WebhookEndpointNotFound`. */
export const webhookEndpoints = ({ handle, clock, ids, secrets, count, madeBefore }: EndpointPorts) => {
  const change =
    (type: 'DisableWebhookEndpoint' | 'EnableWebhookEndpoint' | 'DeleteWebhookEndpoint') =>
    (endpointId: string, context: Context): Promise<Done> => {
      const command =
        type === 'DisableWebhookEndpoint'
          ? ({ type, reason: 'request', failingSince: null } as const)
          : { type };
      return handle(webhookEndpoint, webhookEndpointStream(endpointId), command, context);
    };
  const remove = change('DeleteWebhookEndpoint');

  return {
    /**
     * Makes an endpoint with a secret; `ulid` names it. Throws `TooManyWebhookEndpoints`, and
     * `WebhookEndpointExists` where the same request has made it.
     */
    createEndpoint: async (
      { companyId, mode, ...options }: NewEndpoint,
      context: Context,
      ulid = ids.ulid(),
    ): Promise<Given & Readonly<{ endpointId: string }>> => {
      if ((await count(companyId, mode, MAX_ENDPOINTS)) >= MAX_ENDPOINTS) throw tooMany();
      const endpointId = `whe_${ulid}`;
      const command = { type: 'CreateWebhookEndpoint', endpointId, companyId, mode, ...options } as const;
      // The event first: it is new once, so that no request that is repeated makes a second secret.
      const done = await handle(webhookEndpoint, webhookEndpointStream(endpointId), command, context);
      if (done.repeated) throw new DomainError('WebhookEndpointExists', shownBeforeText(endpointId));
      // Of several at once each may have counted before the others were made: the order of the log decides.
      if ((await madeBefore(companyId, mode, done.position)) >= MAX_ENDPOINTS) {
        await remove(endpointId, systemContext('endpoints', ids));
        throw tooMany();
      }
      return { ...done, endpointId, secret: await secrets.renew(endpointId, done.at, done.at) };
    },

    /** Gives an endpoint other options; nothing when they are the same. */
    changeEndpoint: (endpointId: string, options: EndpointOptions, context: Context): Promise<Done> => {
      const command = { type: 'ChangeWebhookEndpoint', ...options } as const;
      return handle(webhookEndpoint, webhookEndpointStream(endpointId), command, context);
    },

    /** Makes a new secret, beside which the former ones sign too for a time (endpoints-5). */
    rotateSecret: async (
      endpointId: string,
      overlapSeconds: number,
      context: Context,
    ): Promise<Given & Readonly<{ overlapEndsAt: string }>> => {
      const now = clock.now();
      const overlapEndsAt = new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
      const command = { type: 'RotateWebhookEndpointSecret', overlapEndsAt } as const;
      const done = await handle(webhookEndpoint, webhookEndpointStream(endpointId), command, context);
      if (done.repeated) throw new DomainError('WebhookEndpointSecretShown', shownBeforeText(endpointId));
      const secret = await secrets.renew(endpointId, overlapEndsAt, now.toISOString());
      return { ...done, overlapEndsAt, secret };
    },

    /** Stops the webhooks of what happens from now on, and those under way. */
    disableEndpoint: change('DisableWebhookEndpoint'),

    /** Starts the webhooks of what happens from now on. */
    enableEndpoint: change('EnableWebhookEndpoint'),

    /** Ends an endpoint, and forgets its secrets. */
    deleteEndpoint: async (endpointId: string, context: Context): Promise<Done> => {
      // They first: after a crash before the event the endpoint is still there to be deleted.
      await secrets.remove(endpointId);
      return remove(endpointId, context);
    },
  };
};

const tooMany = (): DomainError =>
  new DomainError(
    'TooManyWebhookEndpoints',
    `There are ${MAX_ENDPOINTS} endpoints, and there may be no more: delete one first.`,
  );

/** What a repeated request is told whose answer had the secret of this endpoint. */
export const shownBeforeText = (endpointId: string): string =>
  `This request was answered with the secret of the endpoint ${endpointId}, which was shown once. If it is lost, rotate the secret with a new Idempotency-Key.`;
