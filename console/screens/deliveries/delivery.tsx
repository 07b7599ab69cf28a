import type { DeliveryDetail } from '../../../schemas/webhooks.ts';
import { useRead } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { Facts } from '../../parts/facts.tsx';
import { Mark } from '../../parts/marks.tsx';
import { Empty, Reading } from '../../parts/notice.tsx';
import { duration } from '../../parts/quantity.ts';
import { Reload } from '../../parts/reload.tsx';
import { Screen } from '../../parts/screen.tsx';
import { ScrollRegion } from '../../parts/scrollRegion.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { DeliveryMark, PATH, Resend } from './resend.tsx';

const own = texts.deliveries;

/** A webhook delivery with each attempt. */
const DeliveryScreen = ({ parameters: { id = '' } }: ScreenProps) => {
  const resource = useRead(`${PATH}/{deliveryId}`, { path: { deliveryId: id } });
  const { value } = resource;
  const actions = (
    <>
      <Reload run={resource.reload} />
      {value && <Resend delivery={value} class="primary" onSent={resource.reload} />}
    </>
  );
  return (
    <Screen title={value?.eventType ?? own.one} actions={actions}>
      <Reading resource={resource} />
      {value && <About delivery={value} />}
      {value && <Attempts attempts={value.attempts} />}
      {value && (
        <section>
          <h2>{own.body}</h2>
          {value.body === null ? <Empty>{own.noBody}</Empty> : <pre>{value.body}</pre>}
        </section>
      )}
    </Screen>
  );
};
export default DeliveryScreen;

const About = ({ delivery }: Readonly<{ delivery: DeliveryDetail }>) => {
  const { eventId, endpointId, status, submissionId, sessionId, keyId, occurredAt, nextAttemptAt } = delivery;
  const linked = (id: string | null, href: string) => (id === null ? '–' : <a href={href}>{id}</a>);
  const event = (
    <>
      <code>{eventId}</code>, <When at={occurredAt} exact />
    </>
  );
  return (
    <Facts
      facts={[
        [own.columns.status, <DeliveryMark key="status" status={status} />],
        [own.event, event],
        [texts.submissions.columns.submission, linked(submissionId, hrefOf(`/submissions/${submissionId}`))],
        [own.columns.session, linked(sessionId, hrefOf('/deliveries', { sessionId }))],
        [own.columns.key, linked(keyId, hrefOf('/deliveries', { keyId }))],
        [own.columns.endpoint, linked(endpointId, hrefOf('/deliveries', { endpointId }))],
        [
          own.columns.next,
          nextAttemptAt === null ? own.noNext : <When key="next" at={nextAttemptAt} exact />,
        ],
      ]}
    />
  );
};

/** How an answer begins, behind a click; nothing where none was kept. */
const Answer = ({ text }: Readonly<{ text: string | null }>) =>
  text !== null && (
    <details>
      <summary>{own.answer}</summary>
      <pre>{text || own.nothing}</pre>
    </details>
  );

const Attempts = ({ attempts }: Pick<DeliveryDetail, 'attempts'>) => (
  <section>
    <h2>{own.attempts}</h2>
    {attempts.length === 0 ? (
      <Empty>{own.noAttempts}</Empty>
    ) : (
      <ScrollRegion label={own.attempts}>
        <table>
          <thead>
            <tr>
              {own.attemptColumns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ at, receiver, statusCode, durationMs, error, answer }, index) => (
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                <td>
                  <When at={at} exact />
                </td>
                <td>{receiver ?? '–'}</td>
                <td>{statusCode ?? own.noAnswer}</td>
                <td>{duration(Math.round(durationMs) / 1_000)}</td>
                <td>
                  {error === null ? <Mark tone="good">{own.accepted}</Mark> : error}
                  <Answer text={answer} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    )}
  </section>
);
