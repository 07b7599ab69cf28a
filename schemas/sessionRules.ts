import { webhookUrlProblem } from '../domain/webhookUrl.ts';
import { type Fault, faultIf } from '../kernel/fault.ts';
import type { SessionRequest } from './sessions.ts';

const MAX_METADATA_BYTES = 16 * 1024;

/** The faults of a session that its schema can't express. */
export const sessionFaults = (request: Partial<SessionRequest>): readonly Fault[] => [
  ...webhookUrlFaults(request),
  ...metadataFaults(request),
  ...batchRefFaults(request),
];

/** The fault of a webhookUrl, if there is one (webhooks-34). */
export const webhookUrlFaults = ({ webhookUrl }: Readonly<{ webhookUrl?: string }>): readonly Fault[] => {
  const problem = webhookUrl === undefined ? null : webhookUrlProblem(webhookUrl);
  return problem === null ? [] : [{ pointer: '/webhookUrl', detail: problem }];
};

const batchRefFaults = ({ batchRef }: Partial<SessionRequest>): readonly Fault[] =>
  faultIf(
    batchRef === '.' || batchRef === '..',
    '/batchRef',
    `must not be "${batchRef}": clients resolve it as a step in a path, so GET /api/v1/batches/${batchRef} could not be sent`,
  );

const metadataFaults = ({ metadata = {} }: Partial<SessionRequest>): readonly Fault[] =>
  faultIf(
    Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES,
    '/metadata',
    `must be at most ${MAX_METADATA_BYTES} bytes of JSON`,
  );
