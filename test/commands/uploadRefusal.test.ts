import * as assert from 'uvu/assert';
import { isSettled, uploadRefusal } from '../../commands/uploadRefusal.ts';
import { uploadKey } from '../../stores/objects/keys.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('which uploads are taken');

test(
  'only those of a pending session, until it expires [uploads-7]',
  withStores(async (stores) => {
    const sessions = sessionsOn(stores);
    const refusal = uploadRefusal(stores);
    const settled = isSettled(stores.log);
    const judged = async (submissionId: string) => [
      await refusal(uploadKey(submissionId, 'fil_1')),
      await settled(submissionId),
    ];
    const { submissionId } = await sessions.opened();
    assert.equal(await judged(submissionId), [null, false]);
    const cancelled = await sessions.opened();
    await sessions.run(cancelled.submissionId, { type: 'Cancel', reason: null, actor: null });
    assert.equal(await judged(cancelled.submissionId), ['the session was cancelled', true]);
    const reviewed = await sessions.inReview();
    assert.equal(await judged(reviewed), ['the session was submitted: its files are settled', true]);
    stores.pass(86_400_000 - 1);
    assert.equal(await judged(submissionId), [null, false]);
    stores.pass(1);
    assert.equal(
      await judged(submissionId),
      ['the session has expired', false],
      'no sweep has come yet, and the clock may be set back',
    );
    await sessions.run(submissionId, { type: 'ExpireSession', at: stores.clock.now().toISOString() });
    assert.equal(await judged(submissionId), ['the session has expired', true]);
  }),
);

test(
  'a session that the log does not know takes nothing, and loses nothing; other keys are nobody’s',
  withStores(async (stores) => {
    const unknown = `sub_${stores.ids.ulid()}`;
    assert.is(await uploadRefusal(stores)(uploadKey(unknown, 'fil_1')), 'there is no session of this upload');
    assert.is(await isSettled(stores.log)(unknown), null);
    for (const key of ['uploads/proof', `evidence/${unknown.slice(4)}/fil_1/e`])
      assert.is(await uploadRefusal(stores)(key), null);
  }),
);
