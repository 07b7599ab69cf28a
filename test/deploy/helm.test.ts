import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { parseAllDocuments } from 'yaml';
import { roles } from '../../cli/runtime.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { build } from '../../scripts/withEngines/program.ts';
import { long, suite } from '../harness.ts';

const test = suite('helm on deploy/helm');
const works = (program: string, ...words: readonly string[]): boolean =>
  spawnSync(program, words).status === 0;
const isThere = works('helm', 'version');
const canBuild = long && works('go', 'version');

let helm = 'helm';
const run = (...words: readonly string[]) => spawnSync(helm, words, { encoding: 'utf8' });
const render = (...words: readonly string[]) =>
  run('template', 'trial', 'deploy/helm', '--kube-version', '1.30.0', ...words);

type Labels = Readonly<Record<string, string>>;
type Container = Readonly<{
  image: string;
  args: readonly string[];
  volumeMounts?: readonly Readonly<{ mountPath: string; readOnly?: boolean }>[];
  securityContext: unknown;
  resources: Readonly<{ limits: object; requests: object }>;
}>;
type Pod = Readonly<{
  securityContext: Readonly<{ runAsNonRoot: boolean; runAsUser: number }>;
  automountServiceAccountToken: boolean;
  containers: readonly Container[];
}>;
type Manifest = Readonly<{
  kind: string;
  metadata: Readonly<{ name: string; labels: Labels }>;
  data?: Readonly<Record<string, string>>;
  spec?: Readonly<{
    replicas?: number;
    selector?: Labels & Readonly<{ matchLabels?: Labels }>;
    template?: Readonly<{ metadata: Readonly<{ labels: Labels }>; spec: Pod }>;
    rules?: readonly Readonly<{ host: string }>[];
  }>;
}>;

/** What an example renders to. */
const rendered = (example: string): readonly Manifest[] => {
  const { status, stdout, stderr } = render('--values', `deploy/helm/examples/${example}`);
  assert.is(status, 0, stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
};
const kinds = (manifests: readonly Manifest[]): string =>
  manifests
    .map(({ kind }) => kind)
    .sort()
    .join(' ');
const workloads = (manifests: readonly Manifest[]) =>
  manifests.flatMap(({ kind, spec, metadata: { name } }) =>
    spec?.template
      ? { kind, name, spec, labels: spec.template.metadata.labels, pod: spec.template.spec }
      : [],
  );
const includes = (labels: Labels, wanted: Labels): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value);

const examples = readdirSync('deploy/helm/examples');
const key = Buffer.alloc(32).toString('base64');
/** What the Secret of an example is said to have. */
const secret = {
  MASTER_KEY: key,
  EVENTSTOREDB_URL: 'kurrentdb://intake:secret@log:2113',
  MONGODB_URL: 'mongodb://intake:secret@documents:27017/intake?replicaSet=rs0',
};

const tests = (): void => {
  test('finds no fault, with the values as they are and with each example', () => {
    for (const values of [[], ...examples.map((name) => ['--values', `deploy/helm/examples/${name}`])]) {
      const { status, stdout } = run('lint', 'deploy/helm', '--strict', ...values);
      assert.is(status, 0, stdout);
    }
  });

  test('embedded, one pod has the volume, and both its addresses are reached', () => {
    const manifests = rendered('embedded.yaml');
    assert.is(kinds(manifests), 'ConfigMap Ingress Pod Service ServiceAccount StatefulSet');
    const [only] = workloads(manifests);
    assert.equal([only?.spec.replicas, only?.pod.containers[0]?.args], [1, ['serve']]);
    const hosts = manifests.flatMap(({ spec }) => spec?.rules?.map(({ host }) => host) ?? []);
    assert.equal(hosts.sort(), ['files.intake.example.com', 'intake.example.com']);
  });

  test('on engines, one deployment plays every role, or each role has its own', () => {
    const args = (example: string) => workloads(rendered(example)).map(({ pod }) => pod.containers[0]?.args);
    assert.equal(args('engines.yaml'), [['serve']]);
    assert.equal(
      args('roles.yaml'),
      [...roles].sort().map((role) => ['serve', '--roles', role]),
    );
    assert.match(
      kinds(rendered('roles.yaml')),
      /^ConfigMap( Deployment){4}( HorizontalPodAutoscaler){2} Ingress/,
    );
  });

  test('what selects pods selects those that there are; the Service those with the API alone', () => {
    for (const example of examples) {
      const manifests = rendered(example);
      const pods = workloads(manifests);
      for (const { kind, spec, metadata } of manifests) {
        const wanted = spec?.selector?.matchLabels ?? (kind === 'Service' ? spec?.selector : undefined);
        if (wanted === undefined) continue;
        const chosen = pods.filter(({ labels }) => includes(labels, wanted as Labels));
        assert.is(chosen.length, 1, `${example}: ${kind} ${metadata.name}`);
        if (kind === 'Service')
          assert.match(chosen[0]?.pod.containers[0]?.args.join(' ') ?? '', /^serve$|api/);
      }
    }
  });

  test('no pod has more rights than it needs, and it writes where it must', () => {
    for (const example of examples)
      for (const { name, pod } of workloads(rendered(example))) {
        assert.equal([pod.securityContext.runAsNonRoot, pod.securityContext.runAsUser], [true, 1000], name);
        assert.is(pod.automountServiceAccountToken, false, name);
        for (const { securityContext, resources, volumeMounts = [] } of pod.containers) {
          assert.equal(securityContext, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          assert.equal(Object.keys(resources.limits), Object.keys(resources.requests), name);
          const writable = volumeMounts.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath);
          assert.equal(writable, example === 'embedded.yaml' ? ['/tmp', '/data'] : ['/tmp'], name);
        }
      }
  });

  test('the service takes the settings of each example', () => {
    for (const example of examples) {
      const { data = {} } = rendered(example).find(({ kind }) => kind === 'ConfigMap') ?? {};
      const { misspelt } = readConfig({ ...data, ...(example === 'embedded.yaml' ? {} : secret) });
      assert.equal(misspelt, [], example);
    }
  });

  const refusals: readonly (readonly [what: string, set: string, says: RegExp])[] = [
    ['no image', 'mode=embedded', /image\.repository is needed/],
    ['engines without a Secret', 'image.repository=i,mode=engines', /existingSecret is needed with engines/],
    [
      'engines without a bucket',
      'image.repository=i,mode=engines,existingSecret=s',
      /settings\.S3_BUCKET is needed/,
    ],
    ['a secret among the settings', 'image.repository=i,settings.MASTER_KEY=x', /settings.*MASTER_KEY/],
    [
      'a setting that is not there',
      'image.repository=i,settings.WEBHOK_EGRESS=any',
      /settings.*WEBHOK_EGRESS/,
    ],
    [
      'a host for one of two addresses',
      'image.repository=i,ingress.enabled=true,ingress.host=h',
      /ingress\.storageHost/,
    ],
  ];
  for (const [what, set, says] of refusals)
    test(`${what} is refused, by the name of the value`, () => {
      const { status, stderr } = render('--set', set);
      assert.is(status, 1);
      assert.match(stderr, says);
    });
};

const building = 'Helm and the types of Kubernetes are built';
if (canBuild) {
  let manifests = '';
  const quiet = (): void => undefined;
  test(
    building,
    async () => {
      if (!isThere) helm = await build('helm', 'helm.sh/helm/v3/cmd/helm', quiet);
      manifests = await build('helm', '.', quiet, 'manifests');
    },
    { timeoutMs: 600_000 },
  );
  test('Kubernetes knows each kind and each member of what is rendered', () => {
    const check = (input: string) => spawnSync(manifests, { input, encoding: 'utf8' });
    for (const example of examples) {
      const { stdout } = render('--values', `deploy/helm/examples/${example}`);
      assert.is(check(stdout).stderr, '', example);
      assert.match(check(stdout.replace('metadata:', 'metadate:')).stderr, /unknown field "metadate"/);
    }
  });
} else test.skip(building, 'they take Go, and minutes the first time: npm run test:all');
if (isThere || canBuild) tests();
else test.skip('all of it', 'there is no helm here; npm run test:all builds it where Go is');
