/** One run of test files: what they run on, and their environment. */
export type Pass = Readonly<{
  name: string;
  files: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Whether what it does without engines is done elsewhere. */
  isOnEngines: boolean;
}>;

type Environment = Readonly<Record<string, string | undefined>>;
type Engine = 'log' | 'documents' | 'files';

/**
 * What names the engines: no test but those about engines takes it from the environment, or half of a test
 * would run on engines.
 */
const SETTINGS = [
  ...['EVENTSTOREDB_URL', 'MONGODB_URL', 'MASTER_KEY', 'EVIDENCE_KEY'],
  ...['S3_BUCKET', 'S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', 'S3_REGION', 'S3_PATH_STYLE', 'S3_SSE'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
];
const OF_ENGINES = /^dist\/test\/(contract|nodes|chaos\/outages|stores\/eventStoreDb)\//;

/** What is decided before any store is asked, and what files hold: the same on every engine. */
const WITHOUT_STORES = 'engine/|secrets/|(cors|docs|openapi|patterns|badFiles|nearDuplicates)\\.';
/** What sees the service as its users do. */
const BLACK_BOX = new RegExp(`^dist/test/(demo/|http/(?!${WITHOUT_STORES}))`);
/** The least of it, where there is Node.js alone. */
const MAIN_JOB = /^dist\/test\/http\/(mainJob|dataDir)\.test/;
/** Enough of it to see that an engine works with embedded ones. */
const GIST = /^dist\/test\/http\/(mainJob|dataDir|uploads|batches\/batches)\.test/;

/** The engines by what they hold, with the setting that names each and what it is called. */
const ENGINES: Readonly<Record<Engine, Readonly<{ setting: string | null; name: string }>>> = {
  log: { setting: null, name: 'the stand-in for EventStoreDB' },
  documents: { setting: 'MONGODB_URL', name: 'MongoDB' },
  files: { setting: 'S3_ENDPOINT', name: 'S3' },
};

/**
 * All files on the embedded stores; then the black-box suite on every engine that the environment names,
 * together with the stand-in for EventStoreDB; then its gist with each engine alone in the place of an
 * embedded one (without any engine: the main job on the stand-in). `skipped` says which engines are not
 * there.
 */
export const passesOf = (
  files: readonly string[],
  environment: Environment,
): Readonly<{ passes: readonly Pass[]; skipped: readonly string[] }> => {
  const given = SETTINGS.filter((name) => environment[name]);
  const settings = Object.fromEntries(given.map((name) => [name, environment[name]]));
  const bare = Object.fromEntries(Object.entries(environment).filter(([name]) => !given.includes(name)));
  const on = (engines: readonly Engine[], pattern: RegExp): Pass => ({
    name: `on ${engines.map((engine) => ENGINES[engine].name).join(', ')}`,
    files: files.filter((file) => pattern.test(file)),
    env: { ...bare, INTAKE_TEST_ENGINES: JSON.stringify({ engines, settings }) },
    isOnEngines: true,
  });
  const all = Object.keys(ENGINES) as Engine[];
  const isThere = (engine: Engine): boolean => given.includes(ENGINES[engine].setting ?? '');
  const there = all.filter((engine) => engine === 'log' || isThere(engine));
  const isAsked = files.some((file) => BLACK_BOX.test(file));
  const missing = all.filter((engine) => isAsked && !there.includes(engine));
  const passes = [
    {
      name: '',
      files: files.filter((file) => OF_ENGINES.test(file)),
      env: { ...environment },
      isOnEngines: given.length > 0,
    },
    { name: '', files: files.filter((file) => !OF_ENGINES.test(file)), env: bare, isOnEngines: false },
    ...(there.length > 1 ? [on(there, BLACK_BOX)] : []),
    ...there.map((engine) => on([engine], there.length > 1 ? GIST : MAIN_JOB)),
  ];
  return {
    passes: passes.filter((pass) => pass.files.length > 0),
    skipped: missing.map(
      (engine) =>
        `the black-box suite on ${ENGINES[engine].name}: ${ENGINES[engine].setting} is not set (scripts/engines sets it where it can)`,
    ),
  };
};
