import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { eventually, long, rounds, suite } from '../../harness.ts';
import { client, declaring, receiptText } from '../../support/client.ts';
import { type LogLine, type ServerProcess, startServerProcess } from '../../support/process.ts';
import { testSettings } from '../../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';
import { createTenant } from '../../support/tenant.ts';
import { traffic } from './traffic.ts';

/**
 * An engine that listens on `port` of this machine, and the settings of a service that reaches it at another
 * one.
 */
export type Engine = Readonly<{
  port: number;
  settingsAt(port: number): Readonly<Record<string, string>>;
  /**
   * Settings in place of some of those, with which the engine refuses the service for good; and what is said
   * of it.
   */
  refused: Readonly<{ settings: Readonly<Record<string, string>>; says: RegExp }>;
  /** Makes the engine take no writes for now, or take them again. */
  refuseWrites?(isRefusing: boolean): void;
  close(): Promise<void>;
}>;

/**
 * How long the engine is away, and how long it says nothing: long enough for every limit on waiting to be
 * reached.
 */
const AWAY_MS = rounds(2_000, 60_000);
const SILENT_MS = rounds(7_500, 60_000);
/**
 * So long after an engine's return everything works again; in a short run other tests have most of the
 * machine.
 */
const HEALED_MS = rounds(10_000, 5_000);

type Act = () => Promise<void> | void;

/**
 * What a service does while an engine is away: missing at the start, gone, silent, and taking no writes if it
 * is one that can be told so. `part` is what the service calls it.
 */
export const outageTests = (
  part: string,
  open: () => Promise<Engine>,
  { canRefuseWrites = false } = {},
): void => {
  const test = suite(`an outage of the ${part}`);
  let folder: string;
  let engine: Engine;
  let proxy: TcpProxy;
  let key: string;
  let server: ServerProcess | undefined;
  const settings = (): Readonly<Record<string, string>> =>
    testSettings(join(folder, 'data'), {
      LOG_LEVEL: 'info',
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...engine.settingsAt(proxy.port),
    });
  /** Where a second process finds no other. */
  const elsewhere = () => ({ DATA_DIR: join(folder, 'elsewhere') });
  const running = (): ServerProcess => {
    if (!server) throw new Error('no server was started');
    return server;
  };
  const api = () => client(running().url, key);
  test.before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'intake-outage-'));
    engine = await open();
    proxy = await startTcpProxy({ port: engine.port });
    key = (await createTenant(settings())).key;
  });
  test.after(async () => {
    await server?.kill();
    // Shown when a test has failed.
    for (const line of server?.log() ?? [])
      if (line.level >= 50 && line.part === undefined) process.stderr.write(`${JSON.stringify(line)}\n`);
    await proxy.close();
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const readiness = async (): Promise<
    Readonly<{ status: number; retryAfter: string | null; away: string[] }>
  > => {
    const answer = await fetch(`${running().healthUrl}/health/ready`);
    const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean }[] };
    const away = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), away };
  };
  const notReady = async (): Promise<boolean> => {
    const { status, retryAfter, away } = await readiness();
    return status === 503 && retryAfter !== null && away.includes(part);
  };
  /** Back, and all that the service does works again: a submission comes to its end. */
  const heals = async (mend: Act = () => proxy.normal()): Promise<void> => {
    const back = performance.now();
    await mend();
    await eventually('it is ready', async () => (await readiness()).status === 200, HEALED_MS);
    await eventually('a session is opened', async () => (await tryOpen()) === 201, HEALED_MS);
    const healed = performance.now() - back;
    assert.ok(healed < HEALED_MS, `healed after ${Math.round(healed)} ms`);
    const receipt = receiptText({ total: Math.random() });
    const session = await api().open([receipt], declaring([receipt]));
    assert.is((await api().submit(session)).status, 202);
    assert.is((await api().ended(session)).submissionStatus, 'approved');
  };
  const tryOpen = async (): Promise<number> =>
    (await api().post('/api/v1/workflows/receipt/sessions')).status;
  /**
   * Lines at warn and above, but those of requests, which stand for themselves; and those of what came back.
   */
  const told = (from: number): readonly LogLine[] =>
    running()
      .log()
      .slice(from)
      .filter(({ level, msg, part: of }) => (level >= 40 && msg !== 'request') || of !== undefined);
  const toldOnce = (from: number): void => {
    const lines = told(from);
    const kinds = lines.map(({ part: of, msg }) => `${of}: ${msg}`);
    assert.equal(
      kinds,
      [`${part}: a part of the service can’t be used`, `${part}: a part of the service can be used again`],
      lines.map((line) => JSON.stringify(line)).join('\n'),
    );
  };
  const during = async (trouble: Act, forMs: number, mend?: Act): Promise<void> => {
    await eventually('it is ready', async () => (await readiness()).status === 200);
    const from = running().log().length;
    let done = false;
    const clients = Promise.all(Array.from({ length: 3 }, () => traffic(api(), () => done)));
    const outage = async (): Promise<void> => {
      await trouble();
      await eventually('it is not ready', notReady);
      await new Promise((resolve) => setTimeout(resolve, forMs));
      await heals(mend);
    };
    const [sessions] = await Promise.all([
      clients,
      outage().finally(() => {
        done = true;
      }),
    ]);
    for (const session of sessions.flat()) assert.is((await api().job(session)).status, 200);
    toldOnce(from);
  };
  const timeoutMs = 60_000 + 2 * AWAY_MS;

  test(
    'missing at the start: it listens, says which part it waits for, and begins by itself',
    async () => {
      await proxy.refuse();
      server = await startServerProcess(settings());
      assert.equal(await notReady(), true);
      const { status, headers, body } = await api().get('/api/v1/workflows');
      assert.equal([status, body.code], [503, 'unavailable']);
      assert.ok(headers.get('retry-after'));
      assert.match(body.detail, new RegExp(`waits for .*${part}`));
      assert.is((await fetch(`${server.healthUrl}/health/live`)).status, 200);
      await heals();
      toldOnce(0);
    },
    { timeoutMs },
  );

  test(
    'gone under load: every answer is right and comes in time, nothing acknowledged is lost, and it heals',
    () => during(() => proxy.refuse(), AWAY_MS),
    { timeoutMs },
  );

  // It takes its time: in a short run one engine stands for all.
  const isWhole = long || part === 'events';
  if (isWhole)
    test('silent under load: likewise', () => during(() => proxy.stall(), SILENT_MS), { timeoutMs });

  const refuseWrites = (isRefusing: boolean): void => engine.refuseWrites?.(isRefusing);
  if (canRefuseWrites)
    test(
      'taking no writes: that is an outage too, though it can be read',
      () =>
        during(
          () => refuseWrites(true),
          AWAY_MS,
          () => refuseWrites(false),
        ),
      { timeoutMs },
    );

  if (!isWhole) return;
  test(
    'an end while it is away is an end',
    async () => {
      await proxy.refuse();
      await eventually('it is not ready', notReady);
      const started = performance.now();
      assert.is(await running().stop(), 0);
      assert.ok(performance.now() - started < 15_000);
      await proxy.normal();
    },
    { timeoutMs },
  );

  test(
    'back, but refusing the service: a process that waited for it ends with a clear error',
    async () => {
      await proxy.refuse();
      const { settings: wrong, says } = engine.refused;
      const refused = await startServerProcess({ ...settings(), ...wrong, ...elsewhere() });
      try {
        await proxy.normal();
        await eventually('its end', () => refused.child.exitCode !== null, HEALED_MS * 2);
      } finally {
        await refused.kill();
      }
      assert.is(refused.child.exitCode, 1);
      assert.match(refused.said(), says);
    },
    { timeoutMs },
  );
};
