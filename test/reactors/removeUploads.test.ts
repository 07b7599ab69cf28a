import * as assert from 'uvu/assert';
import { isSettled } from '../../commands/uploadRefusal.ts';
import { ulidFrom } from '../../kernel/ids.ts';
import { createUploadRemoval } from '../../reactors/removeUploads.ts';
import { uploadKey } from '../../stores/objects/keys.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { keptReport, type Stores, withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('the removal of uploads [uploads-9]');

const DAY_MS = 86_400_000;

/**
 * Sessions that live for a day, opened at the stores' time, with one upload each; and removals at
 * `sessionTtlMs`.
 */
const stageOn = (stores: Stores) => {
  const sessions = sessionsOn(stores);
  const { log, clock } = stores;
  const kept = keptReport();
  const counted: number[] = [];
  let named = 0;
  const newId = (): string => `sub_${ulidFrom(clock.now()).slice(0, 20)}${String(++named).padStart(6, '0')}`;
  const put = (submissionId: string): string => {
    const key = uploadKey(submissionId, 'fil_1');
    sessions.put(key, Buffer.from('x'), null);
    return key;
  };
  const removal = (over: object = {}) =>
    createUploadRemoval({
      objects: sessions.objects,
      clock,
      report: kept.report,
      sessionTtlMs: DAY_MS,
      isSettled: isSettled(log),
      onRemoved: (count) => void counted.push(count),
      ...over,
    });
  const left = async () => [...sessions.kept.keys()].filter((key) => key.startsWith('uploads/')).sort();
  const expire = (submissionId: string) =>
    sessions.run(submissionId, { type: 'ExpireSession', at: clock.now().toISOString() });
  return { sessions, ...kept, counted, newId, put, removal, left, expire };
};
const { signal } = new AbortController();

test(
  'uploads go once their session can have no more: expired, cancelled, or submitted with one that came late',
  withStores(async (stores) => {
    const { sessions, counted, lines, newId, put, removal, left, expire } = stageOn(stores);
    const abandoned = newId();
    await sessions.opened({ submissionId: abandoned });
    const cancelled = newId();
    await sessions.opened({ submissionId: cancelled });
    const { submissionId: submitted } = await sessions.withFile({ submissionId: newId() });
    await sessions.submit(submitted);
    const keys = [abandoned, cancelled, submitted].map(put);
    await sessions.run(cancelled, { type: 'Cancel', reason: null, actor: null });
    const remove = removal();
    await remove(signal);
    assert.equal(await left(), keys, 'their addresses are good for a day');
    stores.pass(DAY_MS + 1);
    await expire(abandoned);
    await remove(signal);
    assert.equal([await left(), counted], [[], [3]]);
    assert.equal(
      lines.map(({ level, facts }) => [level, facts]),
      [['info', { uploads: 3 }]],
    );
    await remove(signal);
    assert.equal(counted, [3]);
  }),
);

test(
  'a clock set ahead removes no upload of a session that is pending in the log',
  withStores(async (stores) => {
    const { sessions, newId, removal, left } = stageOn(stores);
    const { submissionId } = await sessions.withFile({ submissionId: newId() });
    stores.pass(2 * DAY_MS);
    await removal()(signal);
    stores.pass(-2 * DAY_MS);
    assert.is((await left()).length, 1);
    await sessions.submit(submissionId);
    assert.equal(await left(), []);
  }),
);

test(
  'the upload of a session that lives longer than sessions do now stays until it ends',
  withStores(async (stores) => {
    const { sessions, newId, put, removal, left, expire } = stageOn(stores);
    const submissionId = newId();
    await sessions.opened({ submissionId });
    const key = put(submissionId);
    stores.pass(DAY_MS - 1);
    const remove = removal({ sessionTtlMs: 1_000 });
    await remove(signal);
    assert.equal(await left(), [key]);
    stores.pass(1);
    await expire(submissionId);
    await remove(signal);
    assert.equal(await left(), []);
  }),
);

test(
  'what is not of a session of this log stays, and keeps no other from being removed',
  withStores(async (stores) => {
    const { sessions, newId, put, removal, left, expire } = stageOn(stores);
    const foreign = Array.from({ length: 40 }, () => put(newId()));
    sessions.put('uploads/proof', Buffer.from('proof'), null);
    const submissionId = newId();
    await sessions.opened({ submissionId });
    put(submissionId);
    stores.pass(2 * DAY_MS);
    await expire(submissionId);
    await removal()(signal);
    assert.equal(await left(), [...foreign, 'uploads/proof']);
  }),
);

test(
  'an upload in parts that has none goes once it is old where no session was opened for it; others of unknown sessions stay',
  withStores(async (stores) => {
    const { sessions, newId, removal } = stageOn(stores);
    const { inParts, putPart, kept } = { ...sessions.parts };
    const [empty, foreign] = [uploadKey(newId(), 'fil_1'), uploadKey(newId(), 'fil_1')];
    const { submissionId } = await sessions.opened({ submissionId: newId() });
    const pending = uploadKey(submissionId, 'fil_1');
    for (const key of [empty, foreign, pending]) await inParts.begin(key, 'text/plain', false);
    putPart(foreign, 1, Buffer.from('x'));
    const left = () => kept.map(({ key }) => key);
    await removal()(signal);
    assert.equal(left(), [empty, foreign, pending]);
    stores.pass(DAY_MS + 1);
    await removal()(signal);
    assert.equal(left(), [foreign, pending]);
  }),
);

test(
  'one that can not be removed is reported, holds up no other, and is tried again',
  withStores(async (stores) => {
    const { sessions, counted, lines, newId, put, removal, left, expire } = stageOn(stores);
    const ids = [newId(), newId()];
    for (const submissionId of ids) await sessions.opened({ submissionId });
    const [stuck = ''] = ids.map(put);
    stores.pass(2 * DAY_MS);
    for (const submissionId of ids) await expire(submissionId);
    let isStuck = true;
    const objects = {
      ...sessions.objects,
      removeAll: async (prefix: string) => {
        if (isStuck && stuck.startsWith(prefix)) throw new Error('locked');
        return sessions.objects.removeAll(prefix);
      },
    };
    const remove = removal({ objects });
    await remove(signal);
    assert.equal([await left(), counted], [[stuck], [1]]);
    assert.equal(lines[0]?.level, 'error');
    isStuck = false;
    await remove(signal);
    assert.equal(await left(), []);
  }),
);
