import * as assert from 'uvu/assert';
import type { Role } from '../../cli/runtime.ts';
import { eventually, suite } from '../harness.ts';
import { engines } from '../support/ownEngines.ts';
import { startService } from '../support/service.ts';

const test = suite('roles');
const token = 'metrics-token-of-the-roles';

/** What readiness looks at in a process of these roles: what they need, and nothing else. */
const cases: readonly Readonly<{ roles: readonly Role[]; checks: readonly string[] }>[] = [
  { roles: ['api'], checks: ['start', 'events', 'documents', 'objects', 'projections'] },
  { roles: ['projections'], checks: ['start', 'events', 'documents', 'projections'] },
  { roles: ['reactors'], checks: ['start', 'events', 'documents', 'objects'] },
  { roles: ['workers'], checks: ['start', 'events', 'documents', 'objects'] },
  { roles: ['reactors', 'workers'], checks: ['start', 'events', 'documents', 'objects'] },
];

for (const { roles, checks } of cases) {
  test(`${roles.join(' and ')} alone: listens, tells of its health and figures, and serves the API only if that is its role`, async () => {
    const service = await startService({ METRICS_TOKEN: token }, {}, roles);
    try {
      const ask = (path: string, bearer?: string) =>
        fetch(`${service.healthUrl}${path}`, {
          headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
        });
      assert.is((await ask('/health/live')).status, 200);
      // A log on an engine is never empty: without anybody who shows it, whoever must show it is not ready.
      const isBehind = roles.join() === 'api' && engines.includes('log');
      await eventually('it is as ready as it can be', async () => {
        const ready = await ask('/health/ready');
        const seen = (await ready.json()) as { checks: { name: string }[] };
        assert.equal(
          seen.checks.map(({ name }) => name),
          checks,
        );
        return ready.status === (isBehind ? 503 : 200);
      });
      assert.is((await ask('/metrics')).status, 401);
      // A scrape goes without the figures of a store that is slow to answer.
      await eventually('its figures include those of the queues', async () => {
        const metrics = await ask('/metrics', token);
        assert.is(metrics.status, 200);
        return /^intake_queue_items/m.test(await metrics.text());
      });
      const isApi = roles.includes('api');
      assert.is(service.url, isApi ? service.healthUrl : '');
      const { id } = await service.intake<{ id: string }>('company', 'create', '--name', 'ACME');
      const { key } = await service.intake<{ key: string }>('key', 'create', '--company', id);
      for (const path of ['/api/v1/companies', '/openapi.json', '/docs'])
        assert.is((await ask(path, key)).status, isApi ? 200 : 404, path);
    } finally {
      await service.close();
    }
  });
}
