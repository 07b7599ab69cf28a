import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { SessionCreated } from '../../client/index.ts';
import { createTenant, type Settings, startServer } from '../../scripts/demo/intake.ts';
import { SINK_HOST, type Sink, startSink } from '../deliveries/sink.ts';
import { childrenMsOf, type Usage, usageOf } from '../deliveries/usage.ts';
import { serviceSettings, WORKFLOW } from '../service.ts';
import { pageOf } from './page.ts';

const LATE_MS = 30_000;
/** The service measures how long 10 ms take: what is above them is delay. */
const RESOLUTION_MS = 10;

/** A service and a receiver, each in its process, and this process as the client. */
export type Stage = Readonly<{
  folder: string;
  pid: number;
  sink: Sink;
  /** Does the steps of a submission: it resolves once its webhook has arrived. */
  submit(): Promise<void>;
  /** Opens a session for one page of text; the rest of its steps are to be called in their order. */
  open(withWebhook?: boolean): Promise<Opened>;
  usage(): Readonly<{ own: Usage; childrenMs: number }>;
  /** The delay of the service's event loop since this was last asked. */
  delay(): Promise<Readonly<{ p99Ms: number; maxMs: number }>>;
  end(): Promise<void>;
}>;

/** A submission under way. `arrived` is called before `submit`, and resolves at its webhook. */
export type Opened = Readonly<{ put(): Promise<void>; submit(): Promise<void>; arrived(): Promise<void> }>;

/** `more`: settings beside those of the engines that the environment names. */
export const openStage = async (more: Settings = {}): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-pipeline-'));
  const sink = await startSink();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, sink.ca);
  const settings = {
    ...serviceSettings(join(folder, 'data')),
    ...more,
    ...{ WEBHOOK_EGRESS: 'any', WEBHOOK_CA: ca, WEBHOOK_RESOLVE: `hooks.${SINK_HOST}=127.0.0.1` },
  };
  const server = await startServer(settings);
  const { key } = await createTenant(settings, 'Bench', WORKFLOW);
  const dispatcher = new Agent({ connections: 16 });
  const hooks = `https://hooks.${SINK_HOST}:${sink.live}/`;
  const call = async (path: string, body?: object): Promise<string> => {
    const { statusCode, body: answer } = await request(
      `${server.url}/api/v1/workflows/receipt/sessions${path}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        dispatcher,
      },
    );
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`POST ${path} was answered ${statusCode}: ${text}`);
    return text;
  };
  let opened = 0;
  const open = async (withWebhook = true): Promise<Opened> => {
    const n = opened++;
    const file = Buffer.from(pageOf(n));
    const files = [{ mimeType: 'text/plain', fileSize: file.length, fileName: `receipt-${n}.txt` }];
    const metadata = { department: 'sales', employee: 'E-1024' };
    const input = { clientSubmissionId: `expense-${n}`, metadata, files };
    const { sessionId, uploads }: SessionCreated = JSON.parse(
      await call('', withWebhook ? { ...input, webhookUrl: hooks + n } : input),
    );
    return {
      put: async () => {
        for (const { url, headers } of uploads) {
          const { statusCode, body } = await request(url ?? '', {
            method: 'PUT',
            headers,
            body: file,
            dispatcher,
          });
          await body.dump();
          if (statusCode !== 200) throw new Error(`an upload was answered ${statusCode}`);
        }
      },
      submit: async () => void (await call(`/${sessionId}/submit`)),
      arrived: () => sink.arrival(`/${n}`, LATE_MS),
    };
  };
  return {
    folder,
    pid: server.pid,
    sink,
    submit: async () => {
      const { put, submit, arrived } = await open();
      const webhook = arrived();
      await put();
      await submit();
      await webhook;
    },
    open,
    usage: () => ({
      own: usageOf(server.pid),
      childrenMs: childrenMsOf(server.pid),
    }),
    delay: async () => {
      const { body } = await request(`${server.url}/metrics`, { dispatcher });
      const text = await body.text();
      const ms = (name: string): number =>
        Number(new RegExp(`^\\w*nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]) * 1_000 -
        RESOLUTION_MS;
      return { p99Ms: ms('p99'), maxMs: ms('max') };
    },
    end: async () => {
      await dispatcher.close();
      await server.stop();
      await sink.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
