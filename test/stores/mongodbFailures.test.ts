import * as assert from 'uvu/assert';
import { LeaseLost, StoreMisconfigured, StoreUnavailable } from '../../kernel/errors.ts';
import { failureOf } from '../../stores/documents/mongodb/failures.ts';
import { suite } from '../harness.ts';

const test = suite('failures of MongoDB');

const named = (name: string): Error => Object.assign(new Error('gone'), { name });

/** What the client threw in tests of outages: its own errors, and those of its sockets as they are. */
const passing: readonly object[] = [
  { name: 'MongoServerSelectionError' },
  { name: 'MongoNetworkError' },
  { name: 'PoolClearedOnNetworkError' },
  { name: 'MongoPoolClearedError' },
  { code: 'EPIPE', message: 'This socket has been ended by the other party' },
  { code: 'ECONNRESET' },
  { name: 'MongoServerError', code: 10107 },
  { name: 'MongoBulkWriteError', errorResponse: named('MongoNetworkError'), writeErrors: [] },
];

test('an outage is recognised whatever reports it, and names the server', () => {
  for (const facts of passing) {
    const found = failureOf('MongoDB at db:27017', Object.assign(new Error('gone'), facts));
    assert.instance(found, StoreUnavailable, JSON.stringify(facts));
    assert.not.instance(found, StoreMisconfigured);
    assert.match((found as Error).message, /^MongoDB at db:27017 can't be used now/);
  }
});

test('what waiting does not mend is distinguished, and a fault of the service stays one', () => {
  const refused = Object.assign(new Error('no'), { name: 'MongoServerError', code: 18 });
  assert.instance(failureOf('MongoDB', refused), StoreMisconfigured);
  const lost = new LeaseLost('projections');
  const bug = Object.assign(new TypeError('x is not a function'), { code: 'ERR_INVALID_ARG_TYPE' });
  const rule = Object.assign(new Error('no such rule'), {
    name: 'MongoBulkWriteError',
    code: 121,
    writeErrors: [{ code: 121 }],
  });
  for (const error of [lost, bug, rule]) assert.is(failureOf('MongoDB', error), error);
  const bulk = { name: 'MongoBulkWriteError', writeErrors: [] };
  assert.is(failureOf('MongoDB', Object.assign(new Error(bug.message), bulk, { errorResponse: bug })), bug);
});
