import { useState } from 'preact/hooks';
import type { DeliveryCount, Recovered } from '../../../schemas/webhooks.ts';
import { announce } from '../../app/announce.tsx';
import { send } from '../../app/api.ts';
import { type Resource, useRead } from '../../app/resource.ts';
import { given } from '../../app/router.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { TimeField } from '../../parts/filters.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import type { Filters } from './filters.ts';
import { PATH } from './resend.tsx';

const own = texts.deliveries;
const DAY_MS = 86_400_000;

type Kind = 'range' | 'recover';
type SendProps = Readonly<{ kind: Kind; filters: Filters; onClose(): void; onSent(): void }>;

/**
 * Sends many deliveries again: those of a time, or all that have failed since one. It says how many before it
 * does.
 */
export const SendDialog = ({ kind, filters, onClose, onSent }: SendProps) => {
  const [opened] = useState(() => Date.now());
  const [from, setFrom] = useState(filters.createdAfter || new Date(opened - DAY_MS).toISOString());
  const [to, setTo] = useState(filters.createdBefore || new Date(opened).toISOString());
  const isRange = kind === 'range';
  const { eventType, keyId, endpointId, receiver } = filters;
  const status = isRange ? filters.status : 'failed';
  const count = useCount({
    status,
    eventType,
    keyId,
    endpointId,
    receiver,
    createdAfter: from,
    createdBefore: isRange ? to : '',
  });
  const work = async (): Promise<void> => {
    const some = given({ eventType, keyId, endpointId, receiver });
    const sent = isRange
      ? await resend({ from, to, ...given({ status }), ...some })
      : await recover(from, some);
    announce(say(own.sent, { count: sent }));
    onSent();
  };
  const { value } = count;
  const isPossible = value !== null && value.count > 0 && !(isRange && value.hasMore);
  return (
    <ConfirmDialog
      title={own[kind].title}
      act={
        value && isPossible ? say(value.hasMore ? own.actAll : own.act, { count: value.count }) : own.actNone
      }
      isReady={isPossible}
      {...{ work, onClose }}
    >
      <p>{own[kind].text}</p>
      <TimeField label={texts.filters.after} value={from} onChange={setFrom} required />
      {isRange && <TimeField label={texts.filters.before} value={to} onChange={setTo} required />}
      <Chosen some={[status, eventType, receiver, keyId, endpointId]} {...{ isRange, count }} />
    </ConfirmDialog>
  );
};

const useCount = (query: Readonly<Record<string, string>>): Resource<DeliveryCount> =>
  useRead(query.createdAfter ? `${PATH}/count` : null, { query });

type ChosenProps = Readonly<{ some: readonly string[]; isRange: boolean; count: Resource<DeliveryCount> }>;

const Chosen = ({ some: all, isRange, count: { value, problem, reload } }: ChosenProps) => {
  const some = all.filter((text) => text !== '').join(', ');
  return (
    <>
      <p>{some === '' ? own.ofEvery : say(own.only, { some })}</p>
      {problem && <ProblemNotice problem={problem} retry={reload} />}
      <p role="status">
        {value && matching(value)} {value?.hasMore && isRange && own.tooMany}
      </p>
    </>
  );
};

const matching = ({ count, hasMore }: DeliveryCount): string =>
  count === 0 ? own.none : say(hasMore ? own.moreThan : own.matching, { count });

const resend = async (body: object): Promise<number> =>
  (await send<Recovered>('post', `${PATH}/redeliver`, { body })).body.count;

/** Goes on from call to call until all are queued, and gives how many. */
const recover = async (since: string, some: object): Promise<number> => {
  const { body } = await send<Recovered>('post', `${PATH}/recover`, { body: { since, ...some } });
  const { count, next } = body;
  return next === null || next === since ? count : count + (await recover(next, some));
};
