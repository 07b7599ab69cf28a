// What .github/workflows/image.yml does beside building: node deploy/image.mjs facts | compare IMAGE@DIGEST FILE | name IMAGE@DIGEST
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { GITHUB_REPOSITORY, GITHUB_SERVER_URL, GITHUB_REF_TYPE, GITHUB_REF_NAME, GITHUB_SHA } = process.env;
const run = (program, ...words) => execFileSync(program, words, { encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
const imagetools = (...words) => run('docker', 'buildx', 'imagetools', ...words);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const isRelease = GITHUB_REF_TYPE === 'tag';

/** Outputs of a step: the name of the image, the time of the commit, the base image by its digest, and labels. */
const facts = () => {
  if (isRelease && GITHUB_REF_NAME !== `v${version}`)
    throw new Error(`the tag is ${GITHUB_REF_NAME}, and package.json says ${version}`);
  const [, base] = /^FROM (node:\S+)$/m.exec(readFileSync('Dockerfile', 'utf8'));
  const digest = imagetools('inspect', base, '--format', '{{.Manifest.Digest}}');
  const labels = {
    version,
    revision: GITHUB_SHA,
    source: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`,
    'base.name': base,
    'base.digest': digest,
  };
  return [
    `image=ghcr.io/${GITHUB_REPOSITORY.toLowerCase()}`,
    `epoch=${run('git', 'log', '-1', '--format=%ct')}`,
    `base=${base}=docker-image://${base}@${digest}`,
    'labels<<END',
    ...Object.entries(labels).map(([name, value]) => `org.opencontainers.image.${name}=${value}`),
    'END',
  ].join('\n');
};

/** The image of each architecture, as `linux/arm64 sha256:…`; attestations are none. */
const images = (index) =>
  index.manifests
    .filter(({ platform }) => platform.os !== 'unknown')
    .map(({ platform, digest }) => `${platform.os}/${platform.architecture} ${digest}`)
    .sort()
    .join('\n');

/** Throws unless the image in the registry and that in the file, an OCI layout as tar, are the same. */
const compare = (image, file) => {
  const member = (path) => JSON.parse(run('tar', '-xOf', file, path));
  const [{ digest }] = member('index.json').manifests;
  const [first, second] = [
    images(JSON.parse(imagetools('inspect', '--raw', image))),
    images(member(`blobs/${digest.replace(':', '/')}`)),
  ];
  if (first !== second) throw new Error(`two builds of one commit differ:\n${first}\n${second}`);
  return `built twice, the same:\n${first}`;
};

/** Gives the image the name of its commit, and of its version for a tag. */
const name = (image) => {
  const tags = [`sha-${GITHUB_SHA}`, ...(isRelease ? [version] : [])];
  const names = tags.map((tag) => `${image.split('@')[0]}:${tag}`);
  imagetools('create', ...names.flatMap((each) => ['--tag', each]), image);
  return `${image} is called\n${names.join('\n')}`;
};

const [command, ...words] = process.argv.slice(2);
console.log({ facts, compare, name }[command](...words));
