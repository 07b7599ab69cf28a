import type { Position } from '../kernel/event.ts';
import { checkpointOf } from '../reactors/engine/runner.ts';
import type { DocumentStore } from '../stores/documents/port.ts';

const requests = checkpointOf({ name: 'requestDeliveries' });

/** Whether all webhooks of events up to a position have been requested. */
export const hasRequested =
  ({ models }: Pick<DocumentStore, 'models'>) =>
  async (position: Position): Promise<boolean> =>
    ((await models.checkpoint(requests)) ?? '') >= position;
