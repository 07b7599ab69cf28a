import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { readWorkflow, stepsOf, textOf } from './files.ts';

const test = suite('.github/workflows/image.yml');
const workflow = readWorkflow('.github/workflows/image.yml');
const { tests, parts, image } = workflow.jobs;
const steps = stepsOf(workflow);
/** An output of a step, as a later one is given it. */
const outputOf = (step: string, name: string): string => `$\{{ steps.${step}.outputs.${name} }}`;
const builds = steps.filter(({ uses }) => uses?.startsWith('docker/build-push-action@'));

test('runs for a tag of a release and by hand, after all tests', () => {
  assert.equal(workflow.on, { push: { tags: ['v*.*.*'] }, workflow_dispatch: null });
  assert.is(tests?.uses, './.github/workflows/ci.yml');
  assert.is(parts?.uses, './.github/workflows/nightly.yml');
  assert.equal(image?.needs, ['tests', 'parts']);
  assert.equal(image?.permissions, {
    contents: 'read',
    packages: 'write',
    'id-token': 'write',
    attestations: 'write',
  });
});

test('builds twice, of the same: for both architectures, without a cache, at the time of the commit', () => {
  assert.is(builds.length, 2);
  for (const { env, with: given = {} } of builds) {
    assert.equal(env, { SOURCE_DATE_EPOCH: outputOf('facts', 'epoch') });
    const { sbom, provenance, outputs, ...same } = given;
    assert.equal(same, {
      context: '.',
      platforms: 'linux/amd64,linux/arm64',
      'no-cache': true,
      'build-contexts': outputOf('facts', 'base'),
      labels: outputOf('facts', 'labels'),
    });
    assert.match(String(outputs), /,rewrite-timestamp=true,oci-mediatypes=true$/);
  }
});

test('what is pushed says what is in it and where it comes from, and is named and signed once it is proven', () => {
  const [first, second] = builds.map((build) => build.with ?? {});
  assert.equal([first?.sbom, first?.provenance], [true, 'mode=max']);
  assert.match(String(first?.outputs), /,push=true,push-by-digest=true,/);
  assert.match(String(second?.outputs), /^type=oci,/);
  const order = [
    /image\.mjs facts/,
    /build-push/,
    /build-push/,
    /image\.mjs compare/,
    /image\.mjs name/,
    /attest/,
  ];
  const lasts = steps.map(({ uses, run }) => uses ?? run ?? '').slice(-order.length);
  order.forEach((form, index) => {
    assert.match(lasts[index] ?? '', form);
  });
  assert.is(steps.at(-1)?.with?.['subject-digest'], outputOf('first', 'digest'));
});

const { version } = JSON.parse(textOf('package.json')) as { version: string };
const DIGEST = `sha256:${'a'.repeat(64)}`;
const folder = mkdtempSync(join(tmpdir(), 'intake-test-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs deploy/image.mjs beside a `docker` that writes down its words and answers with `answer`. */
const run = (answer: string, words: readonly string[], ref: readonly [type: string, name: string]) => {
  const docker = join(folder, 'docker');
  writeFileSync(join(folder, 'answer'), answer);
  writeFileSync(docker, `#!/bin/sh\necho "$@" >> ${folder}/words\ncat ${folder}/answer\n`);
  chmodSync(docker, 0o755);
  rmSync(join(folder, 'words'), { force: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['deploy/image.mjs', ...words], {
    encoding: 'utf8',
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      ...{ GITHUB_REPOSITORY: 'Owner/Intake', GITHUB_SERVER_URL: 'https://github.com', GITHUB_SHA: 'c0ffee' },
      ...{ GITHUB_REF_TYPE: ref[0], GITHUB_REF_NAME: ref[1] },
    },
  });
  return { status, stdout, stderr, asked: () => readFileSync(join(folder, 'words'), 'utf8') };
};
const BRANCH = ['branch', 'main'] as const;

test('facts are the commit’s time, and the base image of the Dockerfile by the digest that it has now', () => {
  const { status, stdout, stderr } = run(`${DIGEST}\n`, ['facts'], ['tag', `v${version}`]);
  assert.is(status, 0, stderr);
  const [, base = ''] = /^FROM (node:\S+)$/m.exec(textOf('Dockerfile')) ?? [];
  assert.match(stdout, /^image=ghcr\.io\/owner\/intake\nepoch=\d{10}\n/);
  assert.ok(stdout.includes(`\nbase=${base}=docker-image://${base}@${DIGEST}\n`), stdout);
  assert.ok(stdout.includes(`\norg.opencontainers.image.base.digest=${DIGEST}\n`), stdout);
});

test('a tag that is not the version of package.json makes no image', () => {
  const { status, stderr } = run(DIGEST, ['facts'], ['tag', 'v9.9.9']);
  assert.is(status, 1);
  assert.match(stderr, `the tag is v9.9.9, and package.json says ${version}`);
});

type Platform = Readonly<{ os: string; architecture: string }>;
const arm: Platform = { os: 'linux', architecture: 'arm64' };
const amd: Platform = { os: 'linux', architecture: 'amd64' };
const indexOf = (...images: readonly (readonly [Platform, string])[]): string =>
  JSON.stringify({ manifests: images.map(([platform, digest]) => ({ platform, digest })) });

/** An OCI layout, as tar, that holds one index. */
const layoutOf = (index: string): string => {
  const digest = createHash('sha256').update(index).digest('hex');
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  writeFileSync(join(folder, 'blobs/sha256', digest), index);
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ manifests: [{ digest: `sha256:${digest}` }] }));
  const file = join(folder, 'second.tar');
  execFileSync('tar', ['-cf', file, '-C', folder, 'index.json', 'blobs']);
  return file;
};

test('two builds are the same when each architecture’s image is, whatever is attested beside them', () => {
  const attested = [{ os: 'unknown', architecture: 'unknown' }, 'sha256:0'] as const;
  const pushed = indexOf([amd, 'sha256:1'], [arm, 'sha256:2'], attested);
  const compared = (file: string) => run(pushed, ['compare', 'ghcr.io/o/i@sha256:3', file], BRANCH);
  const { status, stderr, asked } = compared(layoutOf(indexOf([arm, 'sha256:2'], [amd, 'sha256:1'])));
  assert.is(status, 0, stderr);
  assert.match(asked(), /^buildx imagetools inspect --raw ghcr\.io\/o\/i@sha256:3\n$/);
  const other = compared(layoutOf(indexOf([arm, 'sha256:9'], [amd, 'sha256:1'])));
  assert.is(other.status, 1);
  assert.match(
    other.stderr,
    /two builds of one commit differ:\nlinux\/amd64 sha256:1\nlinux\/arm64 sha256:2/,
  );
});

test('an image is called by its commit, that of a tag by its version too', () => {
  const image = `ghcr.io/owner/intake@${DIGEST}`;
  const byHand = '--tag ghcr.io/owner/intake:sha-c0ffee';
  assert.is(run('', ['name', image], BRANCH).asked(), `buildx imagetools create ${byHand} ${image}\n`);
  assert.is(
    run('', ['name', image], ['tag', `v${version}`]).asked(),
    `buildx imagetools create ${byHand} --tag ghcr.io/owner/intake:${version} ${image}\n`,
  );
});
