import { webhookEndpoint, webhookEndpointStream } from '../domain/webhookEndpoint.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Report } from '../kernel/report.ts';
import type { EventLog } from '../stores/events/log.ts';
import { type CommandPorts, systemContext } from './handle.ts';
import { load } from './load.ts';

/** An endpoint that fails, as the read models have it. */
type Failing = Readonly<{
  id: string;
  failingSince: string | null;
  lastFailedAt: string | null;
  failed: number;
}>;

type DisablePorts = Pick<CommandPorts, 'handle' | 'ids'> &
  Readonly<{
    log: EventLog;
    report: Pick<Report, 'warn'>;
    /** How long it must have failed, in milliseconds. */
    disableAfterMs: number;
    /** The administrators of a company who are told by mail; none where nothing is mailed. */
    recipientsOf(companyId: string): Promise<readonly string[]>;
  }>;

/** So many deliveries must have been given up. */
const MIN_FAILED = 3;

/**
 * Disables an endpoint that has failed for too long (endpoints-15), once. From its first failure to the last
 * one, not to now: an hour's outage of an endpoint that then has nothing to get for days tells nothing of
 * today. The read models must include the log as of the sweep's start: an endpoint that was enabled since
 * begins anew.
 */
export const disableFailing =
  ({ handle, ids, log, report, disableAfterMs, recipientsOf }: DisablePorts) =>
  async ({ id, failingSince, lastFailedAt, failed }: Failing): Promise<void> => {
    if (failingSince === null || lastFailedAt === null || failed < MIN_FAILED) return;
    if (Date.parse(lastFailedAt) - Date.parse(failingSince) < disableAfterMs) return;
    const stream = webhookEndpointStream(id);
    const found = await load(log, webhookEndpoint, stream);
    if (!found || found.isDeleted || found.disabled !== null) return;
    const recipients = await recipientsOf(found.companyId);
    const told = recipients.length === 0 ? {} : { notice: { noticeId: ids.ulid(), recipients } };
    const command = { type: 'DisableWebhookEndpoint', reason: 'failures', failingSince, ...told } as const;
    const context = systemContext('sweep', ids);
    const done = await handle(webhookEndpoint, stream, command, context).catch(nothingOfDeleted);
    if (!done?.events.length) return;
    const { companyId, mode } = found;
    const facts = { endpointId: id, companyId, mode, failingSince };
    report.warn('a webhook endpoint is disabled, since nothing was delivered to it for long', facts);
  };

const nothingOfDeleted = (error: unknown): null => {
  if (error instanceof DomainError) return null;
  throw error;
};
