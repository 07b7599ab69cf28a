import { createHash, randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../../client/index.ts';
import { freePorts } from '../../test/support/freePort.ts';
import { print } from '../named.ts';
import { receiverSettings, startReceiver } from '../receiver.ts';
import { admitted, folderOf, killableService } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'a file that the client sends in parts (--mib 300) to a service that is killed twice meanwhile';

const MIB = 1_048_576;
const SLUG = 'large-file-trial';
/** When it is killed, as shares of what is sent. */
const KILLS = [0.3, 0.7] as const;

/**
 * Sends one large file through the client while the service is killed twice. True when there is one
 * submission, and its file is the one that was sent.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const known = { mib: { type: 'string', default: '300' }, data: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...options], options: known });
  const folder = folderOf(values.data === undefined ? [] : ['--data', values.data]);
  const answer = { body: JSON.stringify({ fields: { total: 1 }, confidences: { total: 0.9 } }) };
  const extractor = await startReceiver({ answer: () => answer });
  try {
    const settings = {
      ...{ ...folder.settings, ...(await freePorts()) },
      ...receiverSettings(extractor, folder.path),
      ...{ LOG_LEVEL: 'fatal', EXTRACTOR_SECRET: 'a secret of the trial' },
    };
    const { key } = await admitted(settings, folder.path, workflowOf(`${extractor.url}/extractor`));
    const path = join(folder.path, 'large.bin');
    const sent = await written(path, Number(values.mib));
    const service = killableService(settings);
    await service.start();
    const intake = createClient({ url: `http://127.0.0.1:${settings.PORT}`, key, maxRetries: 20 });
    const waiting: number[] = [...KILLS];
    let killing: Promise<void> = Promise.resolve();
    const started = performance.now();
    const job = await intake.submit(SLUG, [{ content: path, type: 'application/x-own' }], {
      onProgress: ({ sent: bytes, size }) => {
        if (bytes / size < (waiting[0] ?? Number.POSITIVE_INFINITY)) return;
        waiting.shift();
        killing = killing.then(service.kill).then(service.start);
      },
    });
    await killing;
    const { submissionId } = await intake.wait(job.sessionId);
    const seconds = (performance.now() - started) / 1_000;
    const { data } = await intake.get('/api/v1/submissions');
    const { files } = await intake.get('/api/v1/submissions/{submissionId}', { path: { submissionId } });
    const kept = await digestAt(files[0]?.downloadUrl ?? '');
    const isRight = kept === sent && data.length === 1 && waiting.length === 0;
    print(
      `${values.mib} MiB in ${seconds.toFixed(0)} s, killed ${KILLS.length - waiting.length} times: ${data.length} submission, SHA-256 ${kept === sent ? 'right' : 'WRONG'}`,
    );
    await service.kill();
    return isRight;
  } finally {
    await extractor.close();
    folder.remove();
  }
};

/** Writes a file of random bytes, and gives its SHA-256. */
const written = async (path: string, mib: number): Promise<string> => {
  const digest = createHash('sha256');
  for (let n = 0; n < mib; n += 1) {
    const block = randomBytes(MIB);
    digest.update(block);
    await appendFile(path, block);
  }
  return digest.digest('hex');
};

const digestAt = async (url: string): Promise<string> => {
  const { body } = await fetch(url);
  const digest = createHash('sha256');
  if (body) await pipeline(body, digest);
  return digest.digest('hex');
};

const workflowOf = (url: string) => ({
  slug: SLUG,
  name: 'Large files',
  upload: {
    minFiles: 1,
    maxFiles: 1,
    acceptedFormats: ['application/x-own'],
    fileLabels: ['data'],
    maxFileSizeMb: 5_000,
  },
  outputSchema: [{ name: 'total', type: 'number', required: true }],
  processing: { extractor: { http: { url, secretEnv: 'EXTRACTOR_SECRET' } } },
});
