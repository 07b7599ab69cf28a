import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What the tests look at in a service of docker-compose.yml; anchors and merge keys are resolved. */
export type ComposeService = Readonly<{
  image: string;
  build?: string;
  command?: readonly string[];
  user?: string;
  restart: string;
  read_only: boolean;
  tmpfs: readonly string[];
  cap_drop: readonly string[];
  security_opt: readonly string[];
  stop_grace_period?: string;
  environment?: Readonly<Record<string, string>>;
  volumes?: readonly string[];
  ports?: readonly string[];
  networks?: readonly string[];
  network_mode?: string;
  healthcheck?: Readonly<{ test?: readonly string[]; disable?: boolean }>;
  depends_on?: Readonly<Record<string, Readonly<{ condition: string }>>>;
  deploy: Readonly<{ resources: Readonly<{ limits: Readonly<Record<string, string | number>> }> }>;
}>;

/** docker-compose.yml. */
export type Compose = Readonly<{
  services: Readonly<Record<string, ComposeService>>;
  networks: Readonly<Record<string, Readonly<{ internal?: boolean }> | null>>;
  volumes: Readonly<Record<string, null>>;
}>;

type Step = Readonly<{
  id?: string;
  uses?: string;
  run?: string;
  env?: Readonly<Record<string, string>>;
  with?: Readonly<Record<string, unknown>>;
}>;

/** A job of a workflow: one of steps, or one that another workflow does. */
type Job = Readonly<{
  uses?: string;
  needs?: readonly string[];
  'timeout-minutes'?: number;
  permissions?: Readonly<Record<string, string>>;
  strategy?: Readonly<{ matrix: Readonly<Record<string, readonly (string | number)[]>> }>;
  steps?: readonly Step[];
}>;

/** A workflow of GitHub Actions. */
export type Workflow = Readonly<{
  on: Readonly<Record<string, unknown>>;
  permissions: Readonly<Record<string, string>>;
  concurrency: Readonly<{ group: string; 'cancel-in-progress': unknown }>;
  jobs: Readonly<Record<string, Job>>;
}>;

/** A file of the project. */
export const textOf = (path: string): string => readFileSync(path, 'utf8');

/** A file for Compose as it stands, variables not filled in. */
export const readCompose = (path = 'docker-compose.yml'): Compose =>
  parse(textOf(path), { merge: true }) as Compose;

/** A workflow of GitHub Actions. Throws for what is no YAML 1.2. */
export const readWorkflow = (path: string): Workflow => parse(textOf(path)) as Workflow;

/** Every step of a workflow. */
export const stepsOf = ({ jobs }: Workflow): readonly Step[] =>
  Object.values(jobs).flatMap(({ steps = [] }) => steps);

/** The lines `NAME=value` of an env file. */
export const readEnv = (path: string): ReadonlyMap<string, string> =>
  new Map(
    textOf(path)
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/**
 * The variables of a text, each with what follows its name: `:?…` for one that must be set. `$$` is no
 * variable.
 */
export const variablesIn = (text: string): readonly Readonly<{ name: string; rest: string }>[] =>
  [...text.replaceAll('$$', '').matchAll(/\$(?:\{(\w+)([^}]*)\}|(\w+))/g)].map(
    ([, braced, rest = '', bare = '']) => ({ name: braced ?? bare, rest }),
  );

/** A value of docker-compose.yml as Compose hands it on. */
export const filledIn = (value: string, env: ReadonlyMap<string, string>): string =>
  value.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) => env.get(name) ?? '').replaceAll('$$', '$');
