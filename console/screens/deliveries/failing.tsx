import { useState } from 'preact/hooks';
import type { FailingReceiver } from '../../../schemas/webhooks.ts';
import { useRead } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { minuteOf } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { PATH } from './resend.tsx';
import { SendDialog } from './send.tsx';

const own = texts.deliveries;

/** So many receivers are named. */
const SHOWN = 3;

type FailingProps = Pick<ScreenProps, 'me'> & Readonly<{ onSent(): void }>;

/** Where deliveries have failed, most first, and a way to send them again; nothing where none have. */
export const Failing = ({ me, onSent }: FailingProps) => {
  const { value, reload } = useRead(`${PATH}/failing-receivers`, {});
  const [chosen, choose] = useState<FailingReceiver | null>(null);
  const failing = value?.data ?? [];
  if (failing.length === 0) return null;
  const isSender = me.permissions.includes('deliveries.send');
  return (
    <Notice kind="warning">
      <ul>
        {failing.slice(0, SHOWN).map((one) => (
          <li key={one.receiver}>
            {textOf(one)}{' '}
            <a href={hrefOf('/deliveries', { status: 'failed', receiver: one.receiver })}>{own.show}</a>{' '}
            {isSender && (
              <Button onClick={() => choose(one)}>
                {own.recoverAct}
                <span class="hidden"> ({one.receiver})</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {chosen && (
        <SendDialog
          kind="recover"
          filters={{ ...NO_FILTERS, receiver: chosen.receiver, createdAfter: chosen.since }}
          onClose={() => choose(null)}
          onSent={() => {
            reload();
            onSent();
          }}
        />
      )}
    </Notice>
  );
};

const textOf = ({ receiver, count, since }: FailingReceiver): string =>
  say(own.failing, { count, receiver, since: minuteOf(since) });

const NO_FILTERS = {
  ...{ status: '', eventType: '', sessionId: '', submissionId: '', receiver: '' },
  ...{ keyId: '', endpointId: '', createdAfter: '', createdBefore: '' },
};
