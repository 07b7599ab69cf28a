import type { DeliveryDetail } from '../../../schemas/webhooks.ts';
import { api } from '../../app/api.ts';
import { type Resource, useResource } from '../../app/resource.ts';
import { Empty, Reading } from '../../parts/notice.tsx';
import { duration } from '../../parts/quantity.ts';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { DeliveryMark, PATH, Resend } from '../deliveries/resend.tsx';

const own = texts.submissionDeliveries;
/** More than the events of a submission that a receiver is told of. */
const MAX = 50;

/** What receivers were told of a submission: every attempt, and to send it again. */
export const Deliveries = ({ submissionId }: Readonly<{ submissionId: string }>) => {
  const resource = useDeliveries(submissionId);
  const { value, reload } = resource;
  return (
    <section class="timeline" aria-labelledby="deliveries">
      <h2 id="deliveries">{own.title}</h2>
      <Reading resource={resource} lines={2} />
      {value?.length === 0 && <Empty>{own.none}</Empty>}
      <ol>
        {value?.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} onSent={reload} />
        ))}
      </ol>
    </section>
  );
};

const useDeliveries = (submissionId: string): Resource<readonly DeliveryDetail[]> =>
  useResource(`${submissionId} deliveries`, async (signal) => {
    const query = { submissionId, limit: MAX };
    const { data } = await api.get(PATH, { query, signal });
    const detailOf = (deliveryId: string) =>
      api.get(`${PATH}/{deliveryId}`, { path: { deliveryId }, signal });
    return Promise.all(data.map(({ id }) => detailOf(id)));
  });

type ItemProps = Readonly<{ delivery: DeliveryDetail; onSent(): void }>;

const DeliveryItem = ({ delivery, onSent }: ItemProps) => {
  const { eventType, status, occurredAt, nextAttemptAt, attempts } = delivery;
  return (
    <li>
      <div class="actions">
        <strong>{eventType}</strong>
        <DeliveryMark status={status} />
        <Resend class="plain" {...{ delivery, onSent }} />
      </div>
      <small>
        <When at={occurredAt} exact /> ·{' '}
        {attempts.length === 0 ? own.noAttempt : say(own.attempts, { count: attempts.length })}
        {nextAttemptAt !== null && (
          <>
            {' · '}
            {own.next} <When at={nextAttemptAt} exact />
          </>
        )}
      </small>
      <ul>
        {attempts.map(({ at, statusCode, durationMs, error }) => (
          <li key={at}>
            <When at={at} exact />: {error ?? say(own.accepted, { status: statusCode ?? '' })},{' '}
            {duration(Math.round(durationMs) / 1_000)}
          </li>
        ))}
      </ul>
    </li>
  );
};
