import type { Fault } from '../domain/fault.ts';
import { webhookUrlProblem } from '../domain/webhookUrl.ts';
import type { SessionRequest } from './session.ts';

const METADATA_BYTES = 16 * 1024;

/** What a session's schema can't say: metadata takes at most 16 KiB as JSON, the webhookUrl keeps its rules (decisions, section 3). */
export const sessionFaults = (request: SessionRequest): readonly Fault[] => [
  ...webhookUrlFaults(request),
  ...metadataFaults(request),
];

/** What is wrong with the webhookUrl, if one is given (contract, section 6). */
export const webhookUrlFaults = ({ webhookUrl }: Readonly<{ webhookUrl?: string }>): readonly Fault[] => {
  const problem = webhookUrl === undefined ? null : webhookUrlProblem(webhookUrl);
  return problem === null ? [] : [{ pointer: '/webhookUrl', detail: problem }];
};

const metadataFaults = ({ metadata }: SessionRequest): readonly Fault[] =>
  metadata && Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES
    ? [{ pointer: '/metadata', detail: `must be at most ${METADATA_BYTES} bytes of JSON` }]
    : [];
