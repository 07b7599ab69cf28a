import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { appendAnswer, notLeader, refusal } from './answers.ts';
import type { Proposed } from './log.ts';
import type { Ground } from './service.ts';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** What the server takes at once, unless it is told otherwise. */
const LARGEST = 1_048_576;

/** Takes appends from one long call, each of which may come in parts, and answers them. */
export const takeAppends = (call: Call, ground: Ground): void => {
  const parts = new Map<string, BatchAppendReq[]>();
  let waiting = 0;
  ground.open.appends.add(call);
  call.on('close', () => ground.open.appends.delete(call));
  call.on('cancelled', () => ground.open.appends.delete(call));
  call.on('error', () => ground.open.appends.delete(call));
  call.on('end', () => call.end());
  call.on('data', async (request: BatchAppendReq) => {
    ground.seen(request, call.metadata);
    const id = request.getCorrelationId()?.getString() ?? '';
    const requests = [...(parts.get(id) ?? []), request];
    parts.set(id, requests);
    if (!request.getIsFinal()) return;
    parts.delete(id);
    const { tally, faults } = ground;
    tally.appends += 1;
    const answer = answerTo(call, requests, ground);
    if (!answer) return;
    waiting += 1;
    tally.appendsAtOnce = Math.max(tally.appendsAtOnce, waiting);
    if (faults.delayMs > 0) await sleep(faults.delayMs);
    waiting -= 1;
    if (!call.cancelled && !call.writableEnded) call.write(answer);
  });
};

const answerTo = (
  call: Call,
  requests: readonly BatchAppendReq[],
  { log, faults }: Ground,
): BatchAppendResp | null => {
  const [first] = requests;
  if (!first || faults.stalled) return null;
  if (faults.leader) {
    call.emit('error', notLeader(faults.leader));
    return null;
  }
  if (faults.refuses === 'writing') return refusal(first, 'AccessDenied');
  if (faults.refuses === 'appends' || faults.refuses === 'all')
    return refusal(first, null, new Uint8Array(), 'Server Is Not Ready');
  const events = requests.flatMap((request) => request.getProposedMessagesList().map(proposedOf));
  const size = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  if (size > LARGEST) return refusal(first, 'MaximumAppendSizeExceeded');
  const outcome = log.append(streamOf(first), expectedOf(first), events);
  if (faults.answersToLose > 0) {
    faults.answersToLose -= 1;
    return null;
  }
  return appendAnswer(first, outcome, faults.positionless);
};

const streamOf = (request: BatchAppendReq): string =>
  Buffer.from(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

const expectedOf = (request: BatchAppendReq): number | 'none' | 'any' => {
  const options = request.getOptions();
  if (options?.hasAny()) return 'any';
  return options?.hasNoStream() ? 'none' : Number(options?.getStreamPosition());
};

const proposedOf = (message: BatchAppendReq.ProposedMessage): Proposed => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});
