import { useState } from 'preact/hooks';
import type { Delivery } from '../../../schemas/webhooks.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Mark } from '../../parts/marks.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.deliveries;

/** Where the API has webhook deliveries. */
export const PATH = '/api/v1/webhook-deliveries';

const TONES = { pending: '', delivered: 'good', failed: 'bad' } as const;

/** How a delivery stands. */
export const DeliveryMark = ({ status }: Pick<Delivery, 'status'>) => (
  <Mark tone={TONES[status]}>{own.statuses[status]}</Mark>
);

type ResendProps = Readonly<{ delivery: Delivery; class: string; onSent(): void }>;

/** Sends a delivery once more, after a question; nothing while it is pending, and for those who may not. */
export const Resend = ({ delivery: { id, eventType, status }, class: look, onSent }: ResendProps) => {
  const [isAsked, ask] = useState(false);
  if (status === 'pending' || !may('deliveries.send')) return null;
  const { title, act, text } = own.resend;
  const send = async (): Promise<void> => {
    const { count } = await api.post(`${PATH}/{deliveryId}/redeliver`, { path: { deliveryId: id } });
    announce(count === 0 ? own.underWay : say(own.sent, { count }));
    onSent();
  };
  return (
    <>
      <Button class={look} onClick={() => ask(true)}>
        {act}
        <span class="hidden"> ({eventType})</span>
      </Button>
      {isAsked && (
        <ConfirmDialog title={title} act={act} work={send} onClose={() => ask(false)}>
          <p>{text}</p>
        </ConfirmDialog>
      )}
    </>
  );
};
