import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { openCoreOf } from '../support/core.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService } from '../support/service.ts';

const test = suite('read models that came with a release');

test(
  'what reads them is a 503 that says so until they are built, and the service runs meanwhile [operations-22]',
  async () => {
    const service = await startService();
    const people = await peopleOf(service);
    const core = await openCoreOf(service.environment);
    try {
      const company = await service.company(receiptDefinition);
      const reviewer = await people.user(company.id, 'reviewer');
      const { api } = await people.user();
      // As a release finds them that has them for the first time.
      const { alias } = core.documents.models;
      const added = ['reviewQueue', 'reviewCounts', 'workflowCatalog'];
      for (const name of added) await alias(name, name);
      const readers = [
        () => reviewer.api.get('/api/v1/review-queue'),
        () => api.get('/api/v1/workflow-definitions'),
        () => api.post('/api/v1/workflow-definitions/check', { definition: receiptDefinition }),
      ];
      for (const read of readers) {
        const { status, headers, body } = await read();
        assert.equal([status, headers.get('retry-after'), body.code], [503, '5', 'unavailable']);
        assert.match(
          body.detail,
          /^The read model \w+ came with this release and is being built from the log/,
        );
      }
      assert.is((await reviewer.api.get('/api/v1/submissions')).status, 200);
      for (const read of readers)
        await eventually('it is built', async () => (await read()).status === 200, 30_000);
    } finally {
      await core.close();
      await people.close();
      await service.close();
    }
  },
  { timeoutMs: 90_000 },
);
