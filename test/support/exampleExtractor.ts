import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Answer, Received } from '../../scripts/receiver.ts';

/**
 * The example server of the documents as a process of its own, as it stands; `pass` passes a request on to
 * it, as a proxy would.
 */
export const startExampleExtractor = async (secret: string) => {
  const child = spawn(process.execPath, ['docs/examples/extractor.mjs'], {
    env: { EXTRACTOR_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}`;
  const pass = async ({ method, headers, body }: Received): Promise<Answer> => {
    const names = Object.keys(headers).filter((name) =>
      /^(webhook-|content-type|idempotency-key)/.test(name),
    );
    const kept = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    const response = await fetch(url, { method, headers: kept, body: body.toString() });
    return { status: response.status, body: await response.text() };
  };
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, 'exit');
  };
  return { pass, stop };
};
