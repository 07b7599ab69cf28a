import type { Attempt } from '../../domain/webhookDeliveryEvents.ts';
import type { Lanes } from '../../outbound/lanes.ts';
import type { Outgoing, Sender } from '../../outbound/send.ts';

/** A sender that gives `answer`, lanes of one place, and what they were asked to send and told. */
export const recordedSending = (answer: Attempt | Error, body = '') => {
  const sent: Outgoing[] = [];
  const told: string[] = [];
  const sender: Sender = {
    send: async (request) => {
      sent.push(request);
      if (answer instanceof Error) throw answer;
      return { ...answer, answer: body };
    },
  };
  const lanes: Lanes = {
    started: (lane) => void told.push(`started ${lane}`),
    finished: (lane, outcome) => void told.push(`finished ${lane} ${outcome}`),
    nextClaim: () => ({ limit: 1, perLane: 1, skip: [] }),
  };
  return { sent, told, sender, lanes };
};
