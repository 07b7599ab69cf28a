import * as assert from 'uvu/assert';
import { forgetAgain, removalsBy } from '../../commands/forgetAgain.ts';
import { load } from '../../commands/load.ts';
import { submission, submissionStream } from '../../domain/submission/submission.ts';
import { enterForgotten } from '../../stores/ledger.ts';
import { evidenceOf, uploadKey, uploadsOf } from '../../stores/objects/keys.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { sessionsOn } from '../controls/sessions.ts';
import { withStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('what was restored is forgotten again');
const UNKNOWN = 'sub_01hv6x3m8q2r5t7w9y0a1b2c3d';

test(
  'an object store is told the keys of files, which some need to find unfinished uploads [sealing-5]',
  withStores(async (stores) => {
    const { tables } = stores.documents;
    const { submissionId } = await sessionsOn(stores).opened();
    for (const subject of [submissionId, UNKNOWN]) await enterForgotten(tables, { subject, ...DESTRUCTION });
    const asked = new Map<string, readonly string[]>();
    const { objects } = await forgetAgain({
      ...{ tables, keys: stores.keys, removals: removalsBy(stores.log) },
      request: async (subject) => (subject === UNKNOWN ? 'unknown' : 'there'),
      objects: {
        removeAll: async (prefix, keys = []) => {
          asked.set(prefix, keys);
          return 1;
        },
      },
    }).sinceLast();
    const slots = (await load(stores.log, submission, submissionStream(submissionId)))?.slots ?? [];
    assert.ok(slots.length > 0);
    assert.equal(
      asked.get(uploadsOf(submissionId)),
      slots.map(({ fileId }) => uploadKey(submissionId, fileId)),
    );
    assert.equal([asked.get(evidenceOf(submissionId)), asked.get(uploadsOf(UNKNOWN))], [[], []]);
    assert.ok(objects >= asked.size);
  }),
);
