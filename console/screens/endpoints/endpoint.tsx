import type { WebhookEndpoint as Endpoint, WebhookEndpointMade } from '../../../schemas/webhookEndpoints.ts';
import { Mark } from '../../parts/marks.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';

const own = texts.endpoints;

export type { Endpoint };
/** An endpoint with the secret that it was just given. */
export type Made = WebhookEndpointMade;

/** Where the API has webhook endpoints. */
export const PATH = '/api/v1/webhook-endpoints';

/** What it gets, in words. */
export const eventsOf = ({ eventTypes }: Endpoint): string => eventTypes?.join(', ') ?? own.all;

/** Whether it gets webhooks; where not, why and since when. */
export const EndpointMark = ({ endpoint }: Readonly<{ endpoint: Endpoint }>) => {
  const { status, disabledAt, disabledReason } = endpoint;
  return (
    <>
      <Mark tone={status === 'enabled' ? 'good' : 'bad'}>{own.statuses[status]}</Mark>{' '}
      {disabledReason && own.reasons[disabledReason]} {disabledAt && <When at={disabledAt} />}
    </>
  );
};

/** The secret of an endpoint, once; after a rotation also until when the former one signs. */
export const SecretOfEndpoint = ({ made, onClose }: Readonly<{ made: Made; onClose(): void }>) => (
  <SecretsDialog
    title={own.made}
    secrets={[{ label: own.secret, value: made.secret, hint: own.secretHint }]}
    onClose={onClose}
  >
    {made.previousSecretExpiresAt && (
      <p>
        {own.formerUntil} <When at={made.previousSecretExpiresAt} exact />
      </p>
    )}
  </SecretsDialog>
);
