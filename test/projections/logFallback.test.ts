import * as assert from 'uvu/assert';
import { collectionOf } from '../../projections/engine/readModels.ts';
import { findWithLogFallback } from '../../projections/submissionFromLog.ts';
import { submissions } from '../../projections/submissions.ts';
import { context, withStores } from '../controls/stores.ts';
import { created, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('a submission while its read model is rebuilt');

test(
  'that was opened since is folded from the log, as long as an older version serves',
  withStores(async ({ documents: { models }, log, ids, clock }) => {
    const { submissionId } = routing;
    const { actor, correlationId, causationId } = context;
    const metadata = {
      schema: 1,
      at: clock.now().toISOString(),
      $correlationId: correlationId,
      $causationId: causationId,
      actor,
    };
    const event = { ...created, id: ids.event(), metadata };
    await log.append(`submission-${submissionId.slice(4)}`, null, [event], () => submissionId);
    const find = findWithLogFallback(models, log);
    await models.alias('submissions', 'submissions_v0');
    assert.is((await find(submissionId))?.submission.status, 'created');
    assert.is(await find('sub_00000000000000000000000000'), null);
    await models.alias('submissions', collectionOf(submissions));
    assert.is(await find(submissionId), null);
  }),
);
