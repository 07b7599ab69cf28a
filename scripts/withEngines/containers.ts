import { fileURLToPath } from 'node:url';
import { makeBucket, s3Settings } from './bucket.ts';
import { answers } from './program.ts';
import type { Engine, Say } from './start.ts';

const HERE = fileURLToPath(new URL('../../../scripts/withEngines/', import.meta.url));
const credentials = { accessKeyId: 'key-of-tests', secretAccessKey: 'secret-of-tests' };
const bucket = { region: 'us-east-1', bucket: 'intake', credentials };

/** The services of compose.yml: the port that each listens on, and the settings that name it. */
const services = {
  eventstoredb: [2113, (port: number) => ({ EVENTSTOREDB_URL: `kurrentdb://127.0.0.1:${port}?tls=false` })],
  mongodb: [
    27017,
    (port: number) => ({ MONGODB_URL: `mongodb://127.0.0.1:${port}/intake?directConnection=true` }),
  ],
  s3: [7070, (port: number) => s3Settings({ ...bucket, endpoint: `http://127.0.0.1:${port}` })],
} as const;
export type Service = keyof typeof services;
const all = Object.keys(services) as readonly Service[];

/**
 * Starts these services of compose.yml by Docker, by default all, fetching their images first. Throws when
 * Docker can't.
 */
export const startContainers = async (say: Say, wanted: readonly Service[] = all): Promise<Engine> => {
  // Loaded here: without Docker nobody needs it.
  const { DockerComposeEnvironment, Wait } = await import('testcontainers');
  say(`Docker starts ${wanted.join(', ')} …`);
  const started = await new DockerComposeEnvironment(HERE, 'compose.yml')
    .withDefaultWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(300_000)
    .up([...wanted]);
  const settings = Object.assign(
    {},
    ...wanted.map((service) => {
      const [port, named] = services[service];
      return named(started.getContainer(`${service}-1`).getMappedPort(port));
    }),
  ) as Readonly<Record<string, string>>;
  const endpoint = settings.S3_ENDPOINT;
  if (endpoint !== undefined) await answers(() => makeBucket({ ...bucket, endpoint }));
  for (const name of ['EVENTSTOREDB_URL', 'MONGODB_URL', 'S3_ENDPOINT'])
    if (settings[name] !== undefined) say(`${name} is ${settings[name]}`);
  const close = async (): Promise<void> => void (await started.down({ removeVolumes: true }));
  return { settings, close };
};
