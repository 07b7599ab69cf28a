import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  fellBehindMessage,
} from './answers.ts';
import type { Entry, Log } from './log.ts';
import type { Ground } from './service.ts';

type Call = ServerWritableStream<ReadReq, ReadResp>;

const THE_END = '18446744073709551615';

/** Sends what the log holds, then what comes, until the call ends. Waits for whoever reads slowly. */
export const subscribe = async (
  call: Call,
  options: ReadReq.Options,
  { log, faults, tally }: Ground,
): Promise<void> => {
  const allowed = filterOf(options);
  const filter = options.getFilter();
  const interval = (filter?.getMax() || 32) * (filter?.getCheckpointintervalmultiplier() || 1);
  const send = async (message: ReadResp): Promise<void> => {
    if (!call.write(message) && !call.cancelled) await room(call);
  };
  let seen = startOf(options);
  // Servers before 24.2 skip the first event that they find there, whichever it is.
  if (seen >= 0 && Number.parseInt(faults.version, 10) < 24)
    seen = behind(log.all(), seen - 1)[0]?.commit ?? seen;
  let considered = 0;
  let live = false;
  await send(confirmationMessage());
  while (!call.cancelled && !call.writableEnded) {
    for (const entry of behind(log.all(), seen)) {
      if (call.cancelled || call.writableEnded) return;
      seen = entry.commit;
      considered += 1;
      if (allowed(entry)) {
        tally.sent += 1;
        await send(eventMessage(entry));
      }
      if (faults.oddControls) await sendOdd(send, entry);
      if (considered % interval === 0) await send(checkpointMessage(String(seen)));
    }
    if (!live || faults.oddControls) await send(caughtUpMessage());
    live = true;
    await change(call, log, seen);
  }
};

/** Resolves when more may be written, or the call is over. */
const room = (call: Call): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'cancelled', 'close']) call.removeListener(event, done);
      resolve();
    };
    for (const event of ['drain', 'cancelled', 'close']) call.on(event, done);
  });

const sendOdd = async (send: (message: ReadResp) => Promise<void>, { commit }: Entry): Promise<void> => {
  for (const position of [String(commit - 2_000), String(commit - 1_000), THE_END, THE_END, '0'])
    await send(checkpointMessage(position));
  await send(fellBehindMessage());
};

const filterOf = (options: ReadReq.Options): ((entry: Entry) => boolean) => {
  const filter = options.getFilter();
  const types = filter?.getEventType();
  const expression = types ?? filter?.getStreamIdentifier();
  if (!expression) return () => true;
  const named = ({ stream, type }: Entry): string => (types ? type : stream);
  if (expression.getRegex() !== '') {
    const regex = new RegExp(expression.getRegex());
    return (entry) => regex.test(named(entry));
  }
  const prefixes = expression.getPrefixList();
  return (entry) => prefixes.some((prefix) => named(entry).startsWith(prefix));
};

const startOf = (options: ReadReq.Options): number => {
  const all = options.getAll();
  if (all?.getAllOptionCase() !== streams.ReadReq.Options.AllOptions.AllOptionCase.POSITION) return -1;
  return Number(all.getPosition()?.getCommitPosition());
};

/** Entries after a place. They are ordered: those that are not wanted are not looked at one by one. */
const behind = (entries: readonly Entry[], place: number): readonly Entry[] => {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.commit ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return entries.slice(low);
};

const change = (call: Call, log: Log, seen: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      unwatch();
      call.removeListener('cancelled', done);
      call.removeListener('finish', done);
      resolve();
    };
    const unwatch = log.watch(done);
    call.on('cancelled', done);
    call.on('finish', done);
    if ((log.all().at(-1)?.commit ?? -1) > seen || call.cancelled || call.writableEnded) done();
  });
