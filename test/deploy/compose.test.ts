import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { roles } from '../../cli/runtime.ts';
import { suite } from '../harness.ts';
import { runIntake } from '../support/commandLine.ts';
import { readCompose, readEnv, textOf, variablesIn } from './files.ts';

const test = suite('docker-compose.yml');
const { services, volumes, networks } = readCompose();
const all = Object.entries(services);
const named = (name: string) => {
  const service = services[name];
  if (!service) throw new Error(`there is no service ${name}`);
  return service;
};
const ours = all.filter(([, { command }]) => command?.[0] === 'serve');
const env = readEnv('.env.example');

/** The image's own health check counts: dockerfile.test.ts holds that it is there. */
const isWatched = (name: string): boolean => {
  const { healthcheck, build } = named(name);
  return !healthcheck?.disable && (build !== undefined || (healthcheck?.test?.length ?? 0) > 1);
};

test('every image is pinned to a release, ours to the version of package.json', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  for (const [name, { image, build }] of all) {
    assert.match(image, /^[\w./-]+:v?\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    if (build !== undefined) assert.is(image, `intake:${version}`, name);
  }
});

test('the engines are those that the tests are run on', () => {
  for (const [name, { image }] of Object.entries(readCompose('scripts/withEngines/compose.yml').services))
    assert.is(named(name).image, image);
});

test('the log runs on a KurrentDB of long-term support, by the names that it goes by', () => {
  const { image, environment = {}, volumes: mounts = [] } = named('eventstoredb');
  assert.match(image, /^kurrentplatform\/kurrentdb:\d+\.0\.\d+$/);
  const compose = readCompose('scripts/withEngines/compose.yml').services.eventstoredb?.environment ?? {};
  for (const name of [...Object.keys(environment), ...Object.keys(compose)])
    assert.match(name, /^KURRENTDB_[A-Z_]+$/);
  assert.ok(mounts.includes('eventstoredb-data:/var/lib/kurrentdb'));
  const [script = ''] = named('eventstoredb-certificates').command ?? [];
  assert.match(
    script.trimEnd(),
    /\nfi\n.*\nchown -R 1001:1001 \/certificates$/s,
    'also those that are there',
  );
});

test('every service has a health check, or ends and is waited for', () => {
  const awaited = all.flatMap(([, { depends_on = {} }]) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? name : [],
    ),
  );
  for (const [name, { restart, healthcheck }] of all) {
    if (isWatched(name)) assert.is(restart, 'unless-stopped', name);
    else assert.ok(healthcheck?.disable && /^on-failure:\d$/.test(restart) && awaited.includes(name), name);
  }
});

test('services start in an order: each waits for what is healthy or done, and none for itself', () => {
  const before = (name: string, path: readonly string[]): void => {
    assert.not.ok(path.includes(name), [...path, name].join(' waits for '));
    for (const [other, { condition }] of Object.entries(named(name).depends_on ?? {})) {
      assert.is(condition, isWatched(other) ? 'service_healthy' : 'service_completed_successfully', other);
      before(other, [...path, name]);
    }
  };
  for (const [name] of all) before(name, []);
  for (const [name, { depends_on = {} }] of ours)
    assert.equal(Object.keys(depends_on).sort(), ['eventstoredb-user', 'mongodb-user', 's3'], name);
});

test('every variable must be set and stands in .env.example, which has no other and no secret', () => {
  const used = variablesIn(textOf('docker-compose.yml').replace(/^\s*#.*$/gm, ''));
  for (const { name, rest } of used) assert.match(rest, /^:\?/, `${name} has a silent default`);
  assert.equal([...new Set(used.map(({ name }) => name))].sort(), [...env.keys()].sort());
  for (const [name, value] of env)
    assert.is(value === '', !/^(PUBLIC_URL|S3_PUBLIC_ENDPOINT)$/.test(name), name);
});

test('volumes and networks are declared and used, and what is mounted is there', () => {
  const mounts = all
    .flatMap(([, service]) => service.volumes ?? [])
    .map((mount) => mount.split(':')[0] ?? '');
  const files = mounts.filter((mount) => mount.startsWith('./'));
  for (const file of files) assert.ok(existsSync(file), file);
  assert.equal(
    [...new Set(mounts.filter((mount) => !files.includes(mount)))].sort(),
    Object.keys(volumes).sort(),
  );
  for (const [name, service] of all)
    assert.ok(
      service.network_mode === 'none' || service.networks?.every((network) => network in networks),
      name,
    );
});

test('nobody has more rights than he needs, and the engines can be reached by ours alone', () => {
  for (const [name, service] of all) {
    assert.equal(service.cap_drop, ['ALL'], name);
    assert.equal(service.security_opt, ['no-new-privileges:true'], name);
    assert.is(service.read_only, name !== 'eventstoredb', name);
    assert.match(service.tmpfs[0] ?? '', /^\/tmp:mode=1777,size=\d+m$/, name);
    assert.equal(Object.keys(service.deploy.resources.limits), ['cpus', 'memory', 'pids'], name);
    if (name !== 'proxy') assert.is(service.ports, undefined, name);
  }
  assert.ok(networks.engines?.internal);
  for (const engine of ['eventstoredb', 'mongodb', 's3']) assert.equal(named(engine).networks, ['engines']);
  for (const port of named('proxy').ports ?? []) assert.match(port, /^127\.0\.0\.1:(\d+):\1$/);
});

test('every role is played, the API by two, with words that the command line takes', async () => {
  assert.equal(ours.map(([, { command }]) => command?.[2]).sort(), ['api', ...roles].sort());
  for (const [name, { command = [] }] of ours)
    assert.is((await runIntake({}, ...command, '--help')).code, 0, name);
  assert.is.not((await runIntake({}, 'serve', '--roles', 'none', '--help')).code, 0);
});

test('a node is given more time to stop than it takes', () => {
  for (const [name, { stop_grace_period = '' }] of ours)
    assert.ok(Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]) > 10, name);
});

test('the proxy knows every API node, and is told every name that it asks for', () => {
  const caddyfile = textOf('deploy/Caddyfile');
  const upstreams = [...caddyfile.matchAll(/([\w-]+):(\d+)\b/g)].map(([, host = '', port]) => ({
    host,
    port,
  }));
  const api = ours.filter(([, { command }]) => command?.[2] === 'api').map(([name]) => name);
  assert.equal(
    upstreams.filter(({ port }) => port === '3000').map(({ host }) => host),
    api,
  );
  for (const { host } of upstreams) assert.ok(host in services, host);
  for (const [, name = ''] of caddyfile.matchAll(/\{\$(\w+)\}/g))
    assert.ok(named('proxy').environment?.[name], name);
});

const compose = spawnSync('docker', ['compose', 'version']);
if (compose.status !== 0) test.skip('Compose itself takes it', 'there is no `docker compose` here');
else
  test('Compose itself takes it', () => {
    const { PATH, HOME } = process.env;
    const given = Object.fromEntries([...env].map(([name, value]) => [name, value || 'x']));
    const options = { env: { PATH, HOME, ...given }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('docker', ['compose', 'config', '--quiet'], options);
    assert.is(status, 0, stderr);
  });
