import { execFileSync } from 'node:child_process';
import { type Service, startContainers } from '../../scripts/withEngines/containers.ts';

type Settings = Readonly<Record<string, string>>;

const NAMES: Readonly<Record<Service, readonly string[]>> = {
  eventstoredb: ['EVENTSTOREDB_URL'],
  mongodb: ['MONGODB_URL'],
  s3: [
    ...['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_PATH_STYLE'],
    ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ],
};

/**
 * How to reach an engine: gives the settings that name it, those of the environment or else those of a
 * container, which is started when it is first asked for and ends after the tests' process; or the reason why
 * there is none.
 */
export const engineFor = (service: Service): (() => Promise<Settings>) | string => {
  const [first = '', ...more] = NAMES[service];
  if (process.env[first]) {
    const settings = Object.fromEntries([first, ...more].map((name) => [name, process.env[name] ?? '']));
    return async () => settings;
  }
  if (!hasDocker())
    return `${first} is not set and Docker does not answer; scripts/engines sets it where it can`;
  let started: Promise<Settings> | undefined;
  return () => {
    // testcontainers removes what a process has left.
    started ??= startContainers(() => undefined, [service]).then(({ settings }) => settings);
    return started;
  };
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
