import { execFileSync } from 'node:child_process';
import { type Service, startContainers } from '../../scripts/withEngines/containers.ts';

/** An engine to test against: the settings that name it, and what ends it if it was started for this. */
export type TestEngine = Readonly<{
  settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}>;

const NAMES: Readonly<Record<Service, readonly string[]>> = {
  eventstoredb: ['EVENTSTOREDB_URL'],
  mongodb: ['MONGODB_URL'],
  s3: [
    ...['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_PATH_STYLE'],
    ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ],
};

/** How to open an engine, the one that the environment names or else one that Docker starts; or the reason why there is none. */
export const engineFor = (service: Service): (() => Promise<TestEngine>) | string => {
  const [first = '', ...more] = NAMES[service];
  if (process.env[first]) {
    const settings = Object.fromEntries([first, ...more].map((name) => [name, process.env[name] ?? '']));
    return async () => ({ settings, close: async () => undefined });
  }
  if (!hasDocker())
    return `${first} is not set and Docker does not answer; scripts/engines sets it where it can`;
  return () => startContainers(() => undefined, [service]);
};

const hasDocker = (): boolean => {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 });
    return true;
  } catch {
    // It is not installed, or nobody answers it: neither is a fault of ours.
    return false;
  }
};
