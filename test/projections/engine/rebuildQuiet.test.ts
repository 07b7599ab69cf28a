import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fillLog } from '../../../bench/filledLog.ts';
import { roles } from '../../../cli/runtime.ts';
import { submissionStream } from '../../../domain/submission/submission.ts';
import { startChild } from '../../../processing/engine/childProcess.ts';
import { runRebuild } from '../../../projections/engine/rebuild/leased.ts';
import { startLoops } from '../../../runtime/loops.ts';
import { type Config, readConfig } from '../../../runtime/settings/config.ts';
import type { Core } from '../../../runtime/wire.ts';
import { hashKey } from '../../../stores/credentials.ts';
import type { ObjectStore } from '../../../stores/objects/port.ts';
import { examples } from '../../controls/events.ts';
import { routing } from '../../controls/submission.ts';
import { eventually, suite } from '../../harness.ts';
import { openCore } from '../../support/core.ts';
import { testSettings } from '../../support/service.ts';

const test = suite('a rebuild of everything');
const SUBMISSIONS = 5;

let folder: string;
let config: Config;
let core: Core;
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'intake-quiet-'));
  config = readConfig(testSettings(folder));
  core = await openCore(config);
});
test.after(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * An object store and a sender that fail on any call unless they may be called; `calls` has what was called.
 */
const outside = () => {
  const calls: string[] = [];
  let isAllowed = true;
  const call = (name: string): void => {
    calls.push(name);
    if (!isAllowed) throw new Error(`${name} was called`);
  };
  // The sweep looks for old uploads whether anything is rebuilt or not.
  const uploads = async () => [];
  const objects = new Proxy({} as ObjectStore, {
    get: (_, name) => (name === 'uploads' ? uploads : () => call(`objects.${String(name)}`)),
  });
  const send = async () => {
    call('send');
    return { statusCode: 200, durationMs: 1, error: null, answer: '' };
  };
  const forbid = (): void => {
    isAllowed = false;
    calls.length = 0;
  };
  const allow = (): void => {
    isAllowed = true;
  };
  const ask = async () => {
    call('ask');
    throw new Error('nobody is there to answer');
  };
  return { calls, objects, sender: { send, ask }, forbid, allow };
};

const deliveries = async (status: string): Promise<number> =>
  (await core.deliveries.list({ status }, 100, null)).items.length;

test(
  'sends nothing, processes nothing and appends nothing, while reactors and workers run',
  async () => {
    const { keyId, companyId, mode } = routing;
    const dates = { lastUsedAt: null, revokedAt: null };
    await core.credentials.add({ keyId, companyId, mode, hash: hashKey('any'), ...dates });
    await fillLog(core.log, SUBMISSIONS);
    const { calls, forbid, allow, ...ports } = outside();
    const stop = startLoops(
      config,
      core,
      { ...ports, startReader: startChild, workFolder: folder, publicUrl: 'http://127.0.0.1' },
      roles,
    );
    // Each approval has a webhook that is due now; each outcome's was delivered before.
    await eventually('all is delivered', async () => (await deliveries('delivered')) === 2 * SUBMISSIONS);
    assert.is(calls.length, SUBMISSIONS);
    forbid();
    const before = await core.log.head();
    const { signal } = new AbortController();
    const { log, documents } = core;
    const options = { log, documents, owner: 'command', signal, page: 7, patienceMs: 0, graceMs: 0 };
    assert.ok(await runRebuild({ ...options, onEvent: () => undefined }, core.projections));
    assert.is(await core.log.head(), before);
    assert.is(await deliveries('delivered'), 2 * SUBMISSIONS);
    // What is new is done as ever, by the queues that were rebuilt: so they have been looked at.
    allow();
    const [item] = (await core.deliveries.list({}, 1, null)).items;
    const stream = submissionStream(item?.submissionId ?? '');
    const { head } = await core.log.load(stream);
    const id = core.ids.event();
    const actor = { kind: 'key', id: 'key' } as const;
    const metadata = {
      schema: 1,
      at: core.clock.now().toISOString(),
      $correlationId: id,
      $causationId: id,
      actor,
    };
    const data = { ...examples.SubmissionFraudMatchResolved.data, submissionId: item?.submissionId };
    const event = { type: 'SubmissionFraudMatchResolved', data, id, metadata };
    await core.log.append(stream, head, [event], () => item?.submissionId ?? null);
    await eventually('it is delivered', async () => (await deliveries('delivered')) === 2 * SUBMISSIONS + 1);
    assert.equal(calls, ['send']);
    await stop();
  },
  { timeoutMs: 60_000 },
);
